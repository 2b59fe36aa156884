package grade

import (
	"strings"

	"verbatim/internal/pylit"
)

// A reader reads replies. What it returns is valid until it reads the next one. The
// zero reader is ready. It is for one goroutine.
type listReader struct {
	tuples bool // a tuple of numbers or rows counts as a list, as one of texts does
	parser pylit.Parser
	failed []failedText
}

// A failedText is a text that is not a literal; if it is not whole, no text that begins with it is one.
type failedText struct {
	text  string
	whole bool
}

// note keeps a text that is not a literal, or as much of its start as decides that:
// most repairs do not change the start of a text and fail at the same place.
func (r *listReader) note(s string, err *pylit.SyntaxError) {
	if err.Seen > len(s) {
		r.failed = append(r.failed, failedText{s, true})
	} else {
		r.failed = append(r.failed, failedText{s[:err.Seen], false})
	}
}

// try reads a repaired text as a literal. None counts as a failure: the published code returns it
// if a repair does not help.
func (r *listReader) try(s string) (pylit.Value, bool) {
	for _, f := range r.failed {
		if s == f.text || !f.whole && strings.HasPrefix(s, f.text) {
			return pylit.Value{}, false
		}
	}
	v, err := r.parser.Parse(s)
	if err != nil {
		r.note(s, err)
		return pylit.Value{}, false
	}
	return v, v.Kind() != pylit.None
}
