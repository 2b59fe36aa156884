package page

import (
	"bytes"
	"strings"
	"testing"

	"verbatim/internal/report"
)

// TestReportOfNothing wants an error and no page.
func TestReportOfNothing(t *testing.T) {
	var b bytes.Buffer
	if err := Report(&b, new(report.Report)); err == nil || !strings.Contains(err.Error(), "no run") {
		t.Errorf("a report without runs: %v", err)
	}
	if b.Len() > 0 {
		t.Errorf("%d bytes were written of a report without runs", b.Len())
	}
}
