package report

import (
	"testing"
	"time"

	"verbatim"
)

// TestFirstTokenAndContent: reasoning is the first token, and no content.
func TestFirstTokenAndContent(t *testing.T) {
	early, late := time.Second, 8*time.Second
	rec := verbatim.Record{Outcome: verbatim.Pass, Item: &verbatim.Item{}, Grade: &verbatim.Grade{Exact: true},
		Reply: &verbatim.Reply{Times: verbatim.Times{FirstReasoning: &early, FirstContent: &late, Total: 9 * time.Second}}}
	m, err := read(MetricScore, &rec)
	if err != nil {
		t.Fatal(err)
	}
	var c cell
	c.add(&m)
	if l := c.finish(nil); *l.FirstToken.Median > 1.1 || *l.FirstContent.Median < 7 {
		t.Errorf("first token %v, first content %v", *l.FirstToken.Median, *l.FirstContent.Median)
	}
}
