package store

import (
	"encoding/binary"
	"fmt"
	"math"

	"verbatim"
)

// A Brief is a packed copy of a record's position, item and grade, in the column brief of its
// reply. The time of a scan depends on the number of columns and tables: a scan of briefs takes
// a quarter of the time of a scan of the same values in three tables. A brief is written together
// with the columns that it repeats. The columns are the record.
//
// A packed brief is a sequence of uvarints: the position in the run, the trial, the number of the
// outcome, the words of the item's series, facts and grader, and the tail of the item's id (see
// appendTail). For an answer, these follow: the words of the grade's grader and label, a byte of
// marks, the bits of a score that is neither 0 nor 1, and the word of the flags, if there are any.
// The rest is the detail, which only a brief of the outcome truncated has.
type brief struct {
	Seq, Trial, outcome       int64
	Series, facts, itemGrader int64  // words
	Tail                      int64  // of the item's id, if Text is nil
	Text                      []byte // a tail that is no number
	Graded                    bool
	grader, label             int64 // words
	Exact, Extracted, more    bool
	Flags                     int64 // word
	Scored                    bool
	Score                     float64
	Detail                    []byte
}

// The marks of a grade.
const (
	markExact = 1 << iota
	markExtracted
	markScored // there is a score: 0, unless markOne or markBits is set
	markOne    // the score is 1
	markBits   // the score is another number, which follows
	markMore   // the row of the grade has more: a repair, a rule, a span, flags, or a detail that is not here
	markFlags  // the word of the flags follows
)

// brief packs a record; g is its grade, nil without an answer. It returns nil for a negative
// trial, which only a damaged or foreign file has.
func (k *inserter) brief(position int64, it savedItem, trial int, outcome int64, g *verbatim.Grade) any {
	if trial < 0 {
		return nil
	}
	b := make([]byte, 0, 40)
	for _, n := range [6]int64{sequenceOf(position), int64(trial), outcome, it.Series, it.facts, it.grader} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	b = appendTail(b, it.Tail)
	if g == nil {
		return b
	}
	b = binary.AppendUvarint(b, uint64(k.Words.Id(g.Grader)))
	b = binary.AppendUvarint(b, uint64(k.Words.Id(clean(g.Label))))
	return appendMarks(b, g, k.Words.maybe(encodeFlags(g.Flags)))
}

// appendTail appends the tail of an item's id. A number is written in zigzag form, doubled. A
// text follows its length, which is doubled and increased by one.
func appendTail(b []byte, tail any) []byte {
	switch tail := tail.(type) {
	case int64:
		if n := tail<<1 ^ tail>>63; n >= 0 && n < 1<<62 { // doubled, it is still an int64
			return binary.AppendUvarint(b, uint64(n)<<1)
		}
		return appendTail(b, fmt.Sprint(tail))
	case string:
		b = binary.AppendUvarint(b, uint64(len(tail))<<1|1)
		b = append(b, tail...)
	default: // a damaged file
		b = append(b, 1)
	}
	return b
}

// appendMarks appends what follows the grader and the label of a grade. flags is the word of
// its flags, or nil.
func appendMarks(b []byte, g *verbatim.Grade, flags any) []byte {
	var marks byte
	if g.Exact {
		marks |= markExact
	}
	if g.Extracted {
		marks |= markExtracted
	}
	var bits uint64
	if score := finite(g.Score); score != nil {
		marks |= markScored
		switch bits = math.Float64bits(*score); bits {
		case 0:
		case math.Float64bits(1):
			marks |= markOne
		default:
			marks |= markBits
		}
	}
	if g.Repair != "" || g.Rule != "" || g.Span != nil || len(g.Flags) > 0 || g.Detail != "" && g.Outcome != verbatim.Truncated {
		marks |= markMore
	}
	word, flagged := flags.(int64)
	if flagged {
		marks |= markFlags
	}
	if b = append(b, marks); marks&markBits != 0 {
		b = binary.LittleEndian.AppendUint64(b, bits)
	}
	if flagged {
		b = binary.AppendUvarint(b, uint64(word))
	}
	if g.Outcome == verbatim.Truncated {
		b = append(b, g.Detail...)
	}
	return b
}

// Unpack reads what inserter.brief has packed, and reports whether it could. Text and Detail
// share the memory of packed.
func (b *brief) unpack(packed []byte) bool {
	*b = brief{}
	in := uvarints{b: packed}
	b.Seq, b.Trial, b.outcome = in.next(), in.next(), in.next()
	b.Series, b.facts, b.itemGrader = in.next(), in.next(), in.next()
	tail := in.next()
	if b.Tail = tail >> 1; tail&1 == 0 {
		b.Tail = int64(uint64(b.Tail)>>1) ^ -(b.Tail & 1)
	} else if b.Text = in.take(b.Tail); b.Text == nil {
		b.Text = []byte{}
	}
	if len(in.b) == 0 {
		return !in.bad && !Decode(outcomes, b.outcome).Answered()
	}
	b.Graded = true
	b.grader, b.label = in.next(), in.next()
	var marks byte
	if one := in.take(1); len(one) == 1 {
		marks = one[0]
	}
	b.Exact, b.Extracted, b.more = marks&markExact != 0, marks&markExtracted != 0, marks&markMore != 0
	b.Scored = marks&markScored != 0
	switch {
	case marks&markOne != 0:
		b.Score = 1
	case marks&markBits != 0:
		if bits := in.take(8); len(bits) == 8 {
			b.Score = math.Float64frombits(binary.LittleEndian.Uint64(bits))
		}
	}
	if marks&markFlags != 0 {
		b.Flags = in.next()
	}
	b.Detail = in.b
	return !in.bad && !math.IsNaN(b.Score) && !math.IsInf(b.Score, 0) && Decode(outcomes, b.outcome).Answered()
}

// uvarints reads numbers and bytes from the front of b. If one is missing, bad is set, and every
// further one is 0 or nil.
type uvarints struct {
	b   []byte
	bad bool
}

func (u *uvarints) next() int64 {
	if len(u.b) > 0 && u.b[0] < 0x80 { // one byte, as most are
		n := int64(u.b[0])
		u.b = u.b[1:]
		return n
	}
	v, n := binary.Uvarint(u.b)
	if n <= 0 || v > math.MaxInt64 {
		u.bad, u.b = true, nil
		return 0
	}
	u.b = u.b[n:]
	return int64(v)
}

func (u *uvarints) take(n int64) []byte {
	if n > int64(len(u.b)) {
		u.bad, u.b = true, nil
		return nil
	}
	b := u.b[:n]
	u.b = u.b[n:]
	return b
}
