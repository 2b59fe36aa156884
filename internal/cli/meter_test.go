package cli

import (
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/pace"
	"verbatim/internal/run"
)

// newTestMeter returns a meter on a terminal of 80 columns, with one lane.
func newTestMeter(out *strings.Builder) *meter {
	m := newMeter(out, "\r", 80, time.Now, func() []pace.State { return nil }, nil)
	m.Update(run.Progress{Lanes: []run.LaneProgress{{Run: verbatim.Run{Plan: verbatim.Plan{Count: 10}}}}})
	return m
}

// A tick that comes while the meter is closed draws nothing behind the end of the line.
func TestNothingIsDrawnAfterClose(t *testing.T) {
	var out strings.Builder
	m := newTestMeter(&out)
	m.Close()
	before := out.String()
	if !strings.Contains(before, "0/10 answered") || !strings.HasSuffix(before, "\n") {
		t.Fatalf("%q", before)
	}
	if m.redraw(); out.String() != before {
		t.Errorf("drawn after the end of the line: %q", strings.TrimPrefix(out.String(), before))
	}
}
