package grade

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"testing"

	"verbatim"
	"verbatim/internal/pylit"
)

// A judgedOutput is a line of ../extract/testdata/published.jsonl: where the answer of a
// published output begins, as a reader judged before the grader saw it.
type judgedOutput struct {
	Mode   string `json:"mode"`
	Task   string `json:"task"`
	Length string `json:"length"`
	List   string `json:"list"`
	Model  string `json:"model"`
	At     int    `json:"at"` // where the answer, a list, begins; -1 without one
}

// TestJudgedPublished compares the grades of published outputs with what a reader said of
// them before.
func TestJudgedPublished(t *testing.T) {
	outputs := map[judgedOutput]publishedOutput{}
	for _, o := range publishedOutputs(t) {
		outputs[judgedOutput{Mode: o.row["mode"], Task: o.row["task"], Length: o.row["length"], List: o.row["list"], Model: o.row["model"]}] = o
	}
	file, err := os.Open(filepath.Join("extract", "testdata", "published.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	replies, given := 0, 0
	for lines := bufio.NewScanner(file); lines.Scan(); replies++ {
		var j judgedOutput
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			t.Fatal(err)
		}
		at := j.At
		j.At = 0
		o, ok := outputs[j]
		if !ok {
			t.Fatalf("no output for %+v", j)
		}
		right := false
		if at >= 0 {
			given++
			answer, _, ok := new(pylit.Parser).Prefix(o.output[at:])
			want, err := pylit.FromList(o.item.Want.List)
			if !ok || err != nil {
				t.Fatalf("%+v: no list at %d: %v", j, at, err)
			}
			right = pylit.Equal(answer, pylit.MakeList(want))
		}
		item := *o.item
		item.Grader = "list"
		if g := gradeOf(&item, o.output, verbatim.FinishStop); g.Extracted != right {
			t.Errorf("%+v: reader %v, grader %v (%s, rule %q): %.300q", j, right, g.Extracted, g.Label, g.Rule, o.output[max(0, len(o.output)-300):])
		}
	}
	if replies < 60 || given < 50 {
		t.Errorf("%d outputs, %d with an answer", replies, given)
	}
}
