package nano

// Context is how many tokens of prompt and answer together the network can read.
const Context = 1024

// A place says where in what it belongs to a token stands, so that the network can
// find it again by counting: the third character of a text, the character before
// the last, the second item of a list. Instructions have the zero place. Numbers
// beyond the tables of the network count as the last ones there.
type place struct {
	index int32 // in the payload or the answer, from 1
	field int32 // of the payload: the item of a list, the second number of a sum
	rest  int32 // tokens to the end of the field, this one included; 0 in an answer
}

// A counter gives the tokens of a list or of an answer their places, in order.
type counter struct{ index, field int32 }

// next returns the place of the token after those that were counted. A mark begins
// a field.
func (c *counter) next(t token) place {
	c.index++
	if t.isMark() {
		c.field++
	}
	return place{index: c.index, field: c.field}
}

// setRests fills in the rests of a list's tokens: the way to the next mark, or to
// the end.
func setRests(tokens []token, places []place) {
	rest := int32(0)
	for i := len(tokens) - 1; i >= 0; i-- {
		rest++
		places[i].rest = rest
		if tokens[i].isMark() {
			rest = 0
		}
	}
}
