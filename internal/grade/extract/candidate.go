package extract

import "verbatim/internal/pylit"

// An Answer is the answer found in a reply: reply[Start:End].
type Answer struct {
	Start, End int
	Rule       string        // which rule found it, in words
	Layer      string        // the outermost wrapping of an answer that is the whole reply
	Whole      bool          // nothing but wrapping is around it
	Loose      bool          // a list that is not one list literal
	Items      []pylit.Value // of a list, not cast
	Text       string        // the text without its escapes or the marks of its lines; "" if it has none
}

// Of returns the text of the answer. reply is the one in which it was found.
func (a *Answer) Of(reply string) string {
	if a.Text != "" {
		return a.Text
	}
	return reply[a.Start:a.End]
}

// The strengths of candidates.
const (
	weak   = 1 + iota // the only number or list
	alone             // alone on a line
	marked            // set apart by marks, or after a colon
	named             // called the answer, the result, the sum, …
	final             // called the final answer, or boxed
)

// A candidate is a value that may be the answer.
type candidate struct {
	Answer
	strength int
	closed   bool // it ends with a mark, so that the token limit did not cut it
	echo     bool // it is the input
}

// beats reports whether a candidate is stronger than another one, or as strong and further on.
func (c *candidate) beats(other *candidate) bool {
	return c.strength > other.strength || c.strength == other.strength && c.Start > other.Start
}
