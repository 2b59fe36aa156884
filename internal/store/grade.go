package store

import (
	"cmp"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// grade saves the grade of a position, and replaces an older one. It returns the word of the grader
// and the code of the outcome.
func (k *inserter) grade(position int64, g *verbatim.Grade) (grader, outcome int64, err error) {
	args, grader, outcome, err := k.gradeRow(k.args[:0], position, g)
	if err == nil {
		_, _, err = k.c.Exec(`INSERT OR REPLACE`+intoGrade+gradeValues, args...)
	}
	return grader, outcome, err
}

const (
	intoGrade   = ` INTO grade (place, grader, outcome, label, exact, extracted, score, repair, flags, detail, measures, rule, span) VALUES `
	gradeValues = `(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
)

// gradeRow appends the values of intoGrade to args. It also returns the word of the grader and
// the code of the outcome.
func (k *inserter) gradeRow(args []any, position int64, g *verbatim.Grade) (row []any, grader, outcome int64, err error) {
	if outcome, err = codeOf(outcomes, g.Outcome); err != nil {
		return nil, 0, 0, err
	}
	if !g.Outcome.Answered() || g.Grader == "" {
		return nil, 0, 0, fmt.Errorf("a grade needs a grader and the outcome of an answer: it has %q and %q", g.Grader, g.Outcome)
	}
	w := k.Words
	grader = w.Id(g.Grader)
	row = append(args, position, grader, outcome, w.Id(clean(g.Label)), g.Exact, g.Extracted, finite(g.Score), w.maybe(clean(g.Repair)),
		w.maybe(encodeFlags(g.Flags)), blobOf(g.Detail), k.measures(g.Measures), w.maybe(clean(g.Rule)), packSpan(g.Span))
	return row, grader, outcome, w.Err
}

// packSpan packs a span into one number; nil for no span.
func packSpan(s *verbatim.Span) any {
	if s == nil {
		return nil
	}
	return int64(s.Start)<<32 | int64(s.End)
}

// unpackSpan unpacks what packSpan packed.
func unpackSpan(packed *int64) *verbatim.Span {
	if packed == nil {
		return nil
	}
	return &verbatim.Span{Start: int(*packed >> 32), End: int(*packed & (1<<32 - 1))}
}

// measures packs measures as pairs of uvarints: the word of the name, and the bits of the number
// in reversed order of bytes, so that 0 takes one byte and a small integer three. Numbers that
// are not finite are left out.
func (k *inserter) measures(m map[string]float64) any {
	if len(m) == 0 {
		return nil
	}
	b := make([]byte, 0, 128)
	for name, v := range m {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		b = binary.AppendUvarint(b, uint64(k.Words.Id(clean(name))))
		b = binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(v)))
	}
	return b
}

// measures unpacks what Inserter.measures has packed into the map to, or into a new one if to is
// nil.
func (m *stringTable) measures(to map[string]float64, packed []byte) map[string]float64 {
	if to == nil && len(packed) > 0 {
		to = make(map[string]float64, 8)
	}
	for len(packed) > 0 {
		id, n := binary.Uvarint(packed)
		v, k := binary.Uvarint(packed[max(n, 0):])
		if n <= 0 || k <= 0 {
			m.err = cmp.Or(m.err, error(sqlite.UnreadableError(m.c.Path, "the measures of a grade", nil)))
			return nil
		}
		packed = packed[n+k:]
		to[m.Lookup(int64(id))] = math.Float64frombits(bits.ReverseBytes64(v))
	}
	return to
}

func encodeFlags(flags []string) string {
	if len(flags) == 0 {
		return ""
	}
	b, _ := json.Marshal(flags) // a list of strings always has a JSON form
	return string(b)
}
