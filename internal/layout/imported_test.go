package layout

import (
	"bytes"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// Items of a file come from no seed, and the file says how many there are in all, not
// in each family.
func TestItemsOfAFile(t *testing.T) {
	run := verbatim.Run{Origin: "sortbench", Plan: verbatim.Plan{Suite: "sortbench", Seed: 77, Trials: 1, Count: 3, Items: &verbatim.ItemFile{Name: "lists of May", N: 3}}}
	in := report.Input{Run: run, Records: recordtest.Each(recordtest.Record("sort", "2", verbatim.Pass, "pass"))}
	b := of(t, in)
	if *b.Total.Planned != 3 || b.Families[0].Total.Planned != nil {
		t.Errorf("planned %d in all", *b.Total.Planned)
	}
	var out bytes.Buffer
	if err := writeReport("text")(&out, must(report.Of(report.Options{}, in))(t), terminal.Style{}); err != nil {
		t.Fatal(err)
	}
	if text := out.String(); strings.Contains(text, "seed") || !strings.Contains(text, "lists of May") || !strings.Contains(text, "imported from sortbench") {
		t.Errorf("the head of an import:\n%s", text)
	}
}
