package list

import (
	"strings"

	"verbatim/internal/pylit"
)

// A reader reads replies. What it returns holds until it reads the next. The
// zero reader is ready; it is for one goroutine.
type reader struct {
	tuples bool // a tuple of numbers or rows counts as a list, as one of texts does
	parser pylit.Parser
	failed []failedText
}

// A failedText is a text, or the start of texts, that is not a literal.
type failedText struct {
	text  string
	whole bool
}

// note keeps a refused text, or as much of its start as was enough to refuse it:
// most repairs leave the start of a text alone and fail at the same place.
func (r *reader) note(s string, err *pylit.SyntaxError) {
	if err.Seen > len(s) {
		r.failed = append(r.failed, failedText{s, true})
	} else {
		r.failed = append(r.failed, failedText{s[:err.Seen], false})
	}
}

// try reads a literal out of a repaired text. The reading of None counts as none,
// for that is how the published code tells that a repair did not help.
func (r *reader) try(s string) (pylit.Value, bool) {
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
