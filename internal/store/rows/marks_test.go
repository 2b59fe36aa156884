package rows

import (
	"testing"

	"verbatim"
	"verbatim/internal/reasoning/marks"
)

// TestMarks packs the marks of a text and reads them again.
func TestMarks(t *testing.T) {
	if packed := packMarks(""); packed != nil {
		t.Errorf("no text is packed as %v", packed)
	}
	text := "Wait, the first line is long.\nWait, the first line is long.\nIch habe die Liste noch nicht."
	packed, ok := packMarks(text).([]byte)
	if !ok {
		t.Fatal("the marks are no bytes")
	}
	var got verbatim.ReasoningMarks
	if want := marks.Measure(text); !unpackMarks(packed, &got) || got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	for name, damaged := range map[string][]byte{
		"empty": {}, "short": packed[:len(packed)-1], "long": append(packed, 0), "huge": {255, 255, 255, 255, 255, 255, 255, 255, 127, 0, 0, 0},
	} {
		if unpackMarks(damaged, &got) {
			t.Errorf("%s: read as %+v", name, got)
		}
	}
}
