package nano

// Context is the largest number of tokens of a prompt and its answer together.
const Context = 1024

// A place is the position of a token in its text or list, so that the network can find tokens by
// counting: the third character of a text, the last but one, the second item of a list. Tokens of
// instructions have the zero place. Numbers beyond the tables of the network use the last row.
type place struct {
	index int32 // in the content or the answer, from 1
	field int32 // the item of a list, or the number of a sum
	rest  int32 // tokens to the end of the field, this one included; 0 in an answer
}

// A counter gives the tokens of a list or an answer their places, in order.
type counter struct{ index, field int32 }

// next returns the place of the next token. A mark begins a field.
func (c *counter) next(t token) place {
	c.index++
	if t.isMark() {
		c.field++
	}
	return place{index: c.index, field: c.field}
}

// setRests sets the rests of the tokens of a list: the numbers of tokens to the next mark, or to the
// end.
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
