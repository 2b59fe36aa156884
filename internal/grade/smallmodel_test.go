package grade_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/grade"
)

// A labelledReply is a line of testdata/smallmodel.jsonl: a reply of a small language model to
// an item of a hard or exact task, with the label that a careful reader gives it.
type labelledReply struct {
	Item   verbatim.Item   `json:"item"`
	Reply  string          `json:"reply"`
	Finish verbatim.Finish `json:"finish"`
	Label  string          `json:"label"`
	Right  bool            `json:"right"` // the answer is right, apart from what is around it
}

// TestSmallModel compares the labels of the graders with those of the reader. The reader had not
// seen the graders' labels of six tasks (copy-long, edit-apply, pick-twin, hard-distance,
// hard-ontology, hard-sentences), and had those of the others in sight. Every verdict is the
// reader's. Of 100 answers, 8 may have another label. The tasks with pictures are not there: the
// model takes none.
func TestSmallModel(t *testing.T) {
	file, err := os.Open(filepath.Join("testdata", "smallmodel.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	read := map[string]int{}
	total, same, differ := 0, 0, 0
	for lines.Scan() {
		var l labelledReply
		if err := json.Unmarshal(lines.Bytes(), &l); err != nil {
			t.Fatal(err)
		}
		family, _, _ := strings.Cut(l.Item.ID, "@")
		read[family]++
		total++
		g := grade.Of(&l.Item, l.Reply, l.Finish)
		if g.Extracted != l.Right {
			differ++
			t.Logf("%s: right is %v (%s), the reader says %v: %.200q", l.Item.ID, g.Extracted, g.Label, l.Right, l.Reply)
		}
		if grade.Older(g.Label) == l.Label {
			same++
		} else {
			t.Logf("%s: %s, the reader says %s", l.Item.ID, g.Label, l.Label)
		}
	}
	if len(read) != 25 || total-same > total*8/100 {
		t.Errorf("%d of %d labels are the reader's, of %d tasks", same, total, len(read))
	}
	if differ > 0 {
		t.Errorf("%d answers are called right or wrong, and the reader says otherwise", differ)
	}
	for family, n := range read {
		if n != 10 {
			t.Errorf("%d replies to %s", n, family)
		}
	}
}
