package rawjson

// AppendMember returns the JSON object with one more member.
func AppendMember(object []byte, name string, value []byte) []byte {
	object = object[:len(object)-1]
	if len(object) > 1 {
		object = append(object, ',')
	}
	object = append(AppendString(object, name), ':')
	return append(append(object, value...), '}')
}
