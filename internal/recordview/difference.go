package recordview

import (
	"strings"
	"unicode/utf8"

	"verbatim/internal/terminal"
)

// A Difference says where and how a reply departs from the expected answer.
type Difference struct {
	// Unit is what positions count: "characters" (code points) or "items".
	Unit string `json:"unit"`
	// Notes say what was compared, where that is not the whole reply.
	Notes []string `json:"notes,omitempty"`
	// At is the place of the first difference, counted from 0.
	At int `json:"at"`
	// Aligned says that Edits lead from the expected answer to the reply. Where
	// they would explain nothing, the two just stand side by side.
	Aligned bool   `json:"aligned"`
	Edits   []Edit `json:"edits"`

	chars []charPair // of aligned texts
	items []itemRow  // of aligned lists
	want  string     // where nothing is aligned: both from shortly before At on
	reply string
}

// An Edit is one difference: "missing" from the reply, "extra" in it, "changed",
// or "moved" (items only). Its texts are as Visible writes them, of at most 400
// characters.
type Edit struct {
	Op      string `json:"op"`
	WantAt  int    `json:"want_at"` // -1 where it has no place there
	ReplyAt int    `json:"reply_at"`
	N       int    `json:"n"` // characters or items, at most
	Want    string `json:"want,omitempty"`
	Reply   string `json:"reply,omitempty"`
}

// A charPair is what stands at one place of two aligned texts, as symbols.
type charPair struct {
	op     op
	want   string
	reply  string
	wantAt int
	breaks bool // a line of the text ends here
}

// A itemRow is a line of two aligned lists.
type itemRow struct {
	op      op
	want    string // as Python prints the item; empty without one
	reply   string
	wantAt  int // -1 without one
	replyAt int
	note    string // "also given at 7"; what a row of leftOut leaves out
	moved   bool   // it stands in the other list too, at another place
}

// left out marks a stretch that is not shown; want then says what it was.
const leftOut op = 0

const (
	// maxWindow is how many characters from the first difference on are aligned.
	maxWindow = 20_000
	// around is how many equal characters are shown at each side of a difference.
	around = 24
	// maxRun is how many characters of one difference are shown.
	maxRun = 160
	// maxShown is how many cells or rows a difference may have in all.
	maxShown = 1600
	// mostlyOther is the share of edits above which an alignment explains nothing.
	mostlyOther = 0.65
)

// lastPart returns the end of s, of at most size bytes and a few, that begins
// with a whole character.
func lastPart(s string, size int) string {
	if len(s) <= size {
		return s
	}
	i := len(s) - size
	for i > 0 && len(s)-i < size+3 && !utf8.RuneStart(s[i]) {
		i--
	}
	return s[i:]
}

// firstPart returns the start of s, of at most size bytes and a few, that ends
// with a whole character.
func firstPart(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for end := size; end < min(size+utf8.UTFMax, len(s)); end++ {
		if utf8.RuneStart(s[end]) {
			return s[:end]
		}
	}
	return s[:size]
}

// points returns the code points of s, at most most of them (-1: all), bytes
// that are not UTF-8 as decode tells them.
func points(s string, most int) []rune {
	var out []rune
	for len(s) > 0 && len(out) != most {
		r, n := terminal.DecodeRune(s)
		out = append(out, r)
		s = s[n:]
	}
	return out
}

// visibleStart returns the first characters as symbols.
func visibleStart(r []rune) string {
	var b strings.Builder
	for _, r := range r[:min(len(r), 400)] {
		b.WriteString(terminal.Symbol(r))
	}
	return b.String()
}
