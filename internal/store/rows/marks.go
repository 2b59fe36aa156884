package rows

import (
	"encoding/binary"

	"verbatim"
	"verbatim/internal/reasoning/marks"
)

// packMarks returns the marks of a text of reasoning as a row of uvarints: its characters,
// second thoughts, repeated lines and language switches. It returns nil for no text.
func packMarks(text string) any {
	if text == "" {
		return nil
	}
	m := marks.Measure(text)
	b := make([]byte, 0, 8)
	for _, n := range [4]int64{m.Characters, m.SecondThoughts, m.RepeatedLines, m.LanguageSwitches} {
		b = binary.AppendUvarint(b, uint64(n))
	}
	return b
}

// unpackMarks reads what packMarks has packed. It reports false for anything else.
func unpackMarks(b []byte, m *verbatim.ReasoningMarks) bool {
	for _, to := range [4]*int64{&m.Characters, &m.SecondThoughts, &m.RepeatedLines, &m.LanguageSwitches} {
		n, size := binary.Uvarint(b)
		if size <= 0 || n > 1<<40 {
			return false
		}
		*to, b = int64(n), b[size:]
	}
	return len(b) == 0
}
