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
	// At is the position of the first difference, from 0.
	At int `json:"at"`
	// Aligned says that Edits lead from the expected answer to the reply. It is false if they
	// would explain nothing.
	Aligned bool   `json:"aligned"`
	Edits   []Edit `json:"edits"`

	chars       []charPair // of aligned texts
	items       []itemRow  // of aligned lists
	want, reply string     // of texts that are not aligned, from shortly before At on
}

// The Ops of an Edit, a Segment and a Pair.
const (
	opSame    = "same"
	OpMissing = "missing" // from the reply
	OpExtra   = "extra"   // in the reply
	opChanged = "changed" // one in place of another
	OpMoved   = "moved"   // at another position in the other list; see Pair.Note
	opSkipped = "skipped" // not shown: Segment.Want or Pair.Note says how much
)

// An Edit is one difference. Its texts are Visible, and at most 400 characters long.
type Edit struct {
	Op      string `json:"op"`      // OpMissing, OpExtra, opChanged, or OpMoved for items
	WantAt  int    `json:"want_at"` // -1: no position there
	ReplyAt int    `json:"reply_at"`
	N       int    `json:"n"` // characters or items of the longer side
	Want    string `json:"want,omitempty"`
	Reply   string `json:"reply,omitempty"`
}

// A charPair is a character of each of two aligned texts, as symbols.
type charPair struct {
	op          op
	want, reply string
	wantAt      int
	breaks      bool // a line of the text ends here
}

// An itemRow is an item of each of two aligned lists.
type itemRow struct {
	op              op
	want, reply     string // as Python prints the items; empty without one
	wantAt, replyAt int    // -1 without an item
	note            string // such as "given at 7"; of leftOut: what is not shown
	moved           bool   // the item is at another position of the other list
}

// name returns the Op of a row.
func (r itemRow) name() string {
	if r.moved {
		return OpMoved
	}
	return r.op.name()
}

func (o op) name() string {
	switch o {
	case same:
		return opSame
	case missed:
		return OpMissing
	case extra:
		return OpExtra
	case changed:
		return opChanged
	}
	return opSkipped
}

// leftOut is the op of a stretch that is not shown; charPair.want or itemRow.note describes it.
const leftOut op = 0

const (
	maxWindow   = 20_000 // characters from the first difference on that are aligned
	around      = 24     // equal characters that are shown on each side of a difference
	maxRun      = 160    // characters of one difference that are shown
	maxShown    = 1600   // characters of all differences that are shown
	mostlyOther = 0.65   // share of edits above which an alignment explains nothing
)

// lastPart returns the end of s of size bytes, or up to 3 more so that it begins with a whole
// character.
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

// firstPart returns the start of s of size bytes, or up to 3 more so that it ends with a whole
// character.
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

// points returns the first code points of s, at most limit, or all if limit is -1. Bytes that are
// not UTF-8 are as terminal.DecodeRune returns them.
func points(s string, limit int) []rune {
	var out []rune
	for len(s) > 0 && len(out) != limit {
		r, n := terminal.DecodeRune(s)
		out = append(out, r)
		s = s[n:]
	}
	return out
}

// characters counts code points, and bytes that are not UTF-8.
func characters(s string) int {
	n := 0
	for len(s) > 0 {
		_, size := terminal.DecodeRune(s)
		s, n = s[size:], n+1
	}
	return n
}

// visibleStart returns the first 400 characters as symbols.
func visibleStart(chars []rune) string {
	var b strings.Builder
	for _, r := range chars[:min(len(chars), 400)] {
		b.WriteString(terminal.Symbol(r))
	}
	return b.String()
}
