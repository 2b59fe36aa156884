package figure

import (
	"slices"
	"strconv"
	"testing"

	"verbatim/internal/report"
)

// failing is a run of so many answers with these labels.
func failing(answered int64, labels ...report.Count) report.Block {
	return report.Block{Total: report.Line{Answered: answered, Failures: labels}}
}

// TestLabels tells the two orders of labels apart: a long run decides by number, and not
// by share.
func TestLabels(t *testing.T) {
	runs := []report.Block{failing(10, report.Count{Name: "quoted", N: 5}), failing(1000, report.Count{Name: "loop", N: 90}, report.Count{Name: "empty", N: 90})}
	if got := LabelsByShare(runs); !slices.Equal(got, []string{"quoted", "empty", "loop"}) {
		t.Errorf("by share: %v", got)
	}
	if got := LabelsByCount(runs); !slices.Equal(got, []string{"loop", "empty", "quoted"}) {
		t.Errorf("by count: %v", got)
	}
}

// TestFailures wants the labels after the first ones as one part, and no share for runs
// without an answer.
func TestFailures(t *testing.T) {
	var counts []report.Count
	for i := range MostLabels + 2 {
		counts = append(counts, report.Count{Name: "label-" + strconv.Itoa(i), N: int64(20 - i)})
	}
	runs := []report.Block{failing(200, counts...), failing(0)}
	parts := Failures(runs, LabelsByCount(runs))
	if len(parts) != MostLabels+1 {
		t.Fatalf("%d parts", len(parts))
	}
	if p := parts[0]; p.Name != "label-0" || p.Counts[0] != 20 || p.Values[0] != 0.1 || p.Notes[0] != "label-0 20" || p.Values[1] != 0 {
		t.Errorf("%+v", p)
	}
	if p := parts[MostLabels]; p.Name != "others" || p.Counts[0] != 21 || p.Notes[0] != "label-9 11\nlabel-10 10" {
		t.Errorf("%+v", p)
	}
}
