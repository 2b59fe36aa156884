package rows

import (
	"encoding/binary"
	"encoding/json"
	"fmt"
	"math"
	"math/bits"
	"strconv"
	"strings"

	"verbatim"
)

// SplitGrader splits "list/2" into "list" and 2. A name without a version has version 0.
func SplitGrader(grader string) (name string, version int) {
	name, digits, ok := strings.Cut(grader, "/")
	version, err := strconv.Atoi(digits)
	if !ok || err != nil || version < 1 {
		return grader, 0
	}
	return name, version
}

// grade saves a grade of a position and replaces one by the same grader version. It returns the
// word of the grader and the code of the outcome.
func (k *Inserter) grade(position int64, g *verbatim.Grade) (grader, outcome int64, err error) {
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
func (k *Inserter) gradeRow(args []any, position int64, g *verbatim.Grade) (row []any, grader, outcome int64, err error) {
	if outcome, err = CodeOf(Outcomes, g.Outcome); err != nil {
		return nil, 0, 0, err
	}
	if !g.Outcome.Answered() || g.Grader == "" {
		return nil, 0, 0, fmt.Errorf("a grade needs a grader and the outcome of an answer: it has %q and %q", g.Grader, g.Outcome)
	}
	if grader, err = k.Words.Id(g.Grader); err != nil {
		return nil, 0, 0, err
	}
	label, err := k.Words.Id(Clean(g.Label))
	if err != nil {
		return nil, 0, 0, err
	}
	var word [3]any
	for i, text := range [3]string{Clean(g.Repair), encodeFlags(g.Flags), Clean(g.Rule)} {
		if word[i], err = k.Words.maybe(text); err != nil {
			return nil, 0, 0, err
		}
	}
	measures, err := k.measures(g.Measures)
	if err != nil {
		return nil, 0, 0, err
	}
	return append(args, position, grader, outcome, label, g.Exact, g.Extracted, Finite(g.Score),
		word[0], word[1], blobOf(g.Detail), measures, word[2], packSpan(g.Span)), grader, outcome, nil
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
func (k *Inserter) measures(m map[string]float64) (any, error) {
	if len(m) == 0 {
		return nil, nil
	}
	b := make([]byte, 0, 128)
	for name, v := range m {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			continue
		}
		id, err := k.Words.Id(Clean(name))
		if err != nil {
			return nil, err
		}
		b = binary.AppendUvarint(b, uint64(id))
		b = binary.AppendUvarint(b, bits.ReverseBytes64(math.Float64bits(v)))
	}
	return b, nil
}

// measures unpacks what Inserter.measures has packed into the map to, or into a new one if to is
// nil.
func (m *StringTable) measures(to map[string]float64, packed []byte) (map[string]float64, error) {
	if to == nil && len(packed) > 0 {
		to = make(map[string]float64, 8)
	}
	for len(packed) > 0 {
		id, n := binary.Uvarint(packed)
		v, k := binary.Uvarint(packed[max(n, 0):])
		if n <= 0 || k <= 0 {
			return nil, m.corrupt("the measures of a grade", nil)
		}
		packed = packed[n+k:]
		name, err := m.Lookup(int64(id))
		if err != nil {
			return nil, err
		}
		to[name] = math.Float64frombits(bits.ReverseBytes64(v))
	}
	return to, nil
}

func encodeFlags(flags []string) string {
	if len(flags) == 0 {
		return ""
	}
	b, _ := json.Marshal(flags) // a list of strings always has a JSON form
	return string(b)
}
