package rawjson

// AppendMember returns a JSON object with another member at its end. object must end in its closing
// brace, and "{}" must have no white space. AppendMember may overwrite object.
func AppendMember(object []byte, name string, value []byte) []byte {
	object = object[:len(object)-1]
	if len(object) > 1 {
		object = append(object, ',')
	}
	object = append(AppendString(object, name), ':')
	return append(append(object, value...), '}')
}
