package grade_test

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/pylit"
)

// A judgedReply is a line of extract/testdata/replies.jsonl: a reply that was read and
// judged by hand, with ⟦ and ⟧ around the answer that it gives.
type judgedReply struct {
	Part    string          `json:"part"` // seen, or heldout: written before the rules were tried on it
	Kind    string          `json:"kind"`
	Source  json.RawMessage `json:"source"`
	Want    json.RawMessage `json:"want"`
	Finish  verbatim.Finish `json:"finish"`
	Marked  string          `json:"marked"`
	Unclear bool            `json:"unclear"` // readers may differ; left out of the shares
	Non     string          `json:"non"`     // what a reply without an answer is
}

func (j *judgedReply) item(t *testing.T) *verbatim.Item {
	var source, want verbatim.Answer
	if err := json.Unmarshal(j.Source, &source); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(j.Want, &want); err != nil {
		t.Fatal(err)
	}
	it := &verbatim.Item{ID: "judged", Want: want, Source: &source}
	if j.Kind == "integer" {
		it.Grader = "integer"
	}
	return it
}

// reply returns the reply without the marks, and the answer that it gives.
func (j *judgedReply) reply() (text, answer string, given bool) {
	text = strings.NewReplacer("⟦", "", "⟧", "").Replace(j.Marked)
	_, rest, given := strings.Cut(j.Marked, "⟦")
	answer, _, _ = strings.Cut(rest, "⟧")
	return text, answer, given
}

func readJudged(t *testing.T) (all []judgedReply) {
	file, err := os.Open(filepath.Join("extract", "testdata", "replies.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	lines := bufio.NewScanner(file)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var j judgedReply
		if err := json.Unmarshal(lines.Bytes(), &j); err != nil {
			t.Fatal(err)
		}
		all = append(all, j)
	}
	return all
}

// givesRight reports whether a reader finds the right answer in the reply.
func (j *judgedReply) givesRight(t *testing.T) bool {
	_, answer, given := j.reply()
	if !given {
		return false
	}
	it := j.item(t)
	if !it.Want.IsList() {
		return answer == it.Want.Text
	}
	// The same items in the same order, however written.
	plain := func(s string) string {
		for k := 1; k < 10; k++ {
			s = strings.ReplaceAll(s, "\n"+string(rune('0'+k))+". ", "\n")
		}
		s = strings.TrimPrefix(s, "1. ")
		s = strings.NewReplacer("\n- ", "\n", "\n* ", "\n").Replace("\n" + s)
		return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("[]', \"\n", r) }), "|")
	}
	var want []string
	for _, v := range it.Want.List {
		want = append(want, plain(pylit.Format(v)))
	}
	return plain(answer) == strings.Join(want, "|")
}

// TestJudgedReplies compares the grades of replies with what a reader said of them before.
func TestJudgedReplies(t *testing.T) {
	type count struct{ both, ours, theirs, labels, falseLabels int }
	counts := map[string]*count{}
	nonAnswers := []string{"refusal", "code", "echo", "talk", "reasoning_leak", "unparsed"}
	for _, j := range readJudged(t) {
		if j.Unclear {
			continue
		}
		text, answer, given := j.reply()
		g := grade.Of(j.item(t), text, j.Finish)
		right := j.givesRight(t)
		falseLabel := j.Non != "" && g.Label != j.Non && !(j.Non == "talk" && slices.Contains(nonAnswers, g.Label) && g.Label != "refusal") ||
			given && slices.Contains([]string{"refusal", "code", "echo", "talk", "unparsed"}, g.Label)
		for _, key := range []string{j.Kind, j.Kind + " " + j.Part} {
			if counts[key] == nil {
				counts[key] = new(count)
			}
			c := counts[key]
			if right && g.Extracted {
				c.both++
			}
			if g.Extracted {
				c.ours++
			}
			if right {
				c.theirs++
			}
			c.labels++
			if falseLabel {
				c.falseLabels++
			}
		}
		switch {
		case right != g.Extracted:
			t.Logf("%s, %s: reader %v, grader %v, label %s, rule %q: %q", j.Kind, j.Part, right, g.Extracted, g.Label, g.Rule, text)
		case falseLabel:
			t.Logf("%s, %s: reader %s, label %s, rule %q: %q", j.Kind, j.Part, j.Non, g.Label, g.Rule, text)
		case g.Span != nil && given && !strings.Contains(answer, text[g.Span.Start:g.Span.End]) && !strings.Contains(text[g.Span.Start:g.Span.End], answer):
			t.Logf("%s, %s: reader %q, grader %q, rule %q: %q", j.Kind, j.Part, answer, text[g.Span.Start:g.Span.End], g.Rule, text)
		}
	}
	for key, c := range counts {
		precision, recall := float64(c.both)/float64(c.ours), float64(c.both)/float64(c.theirs)
		t.Logf("%-16s %3d replies, precision %.3f, recall %.3f, false labels %d", key, c.labels, precision, recall, c.falseLabels)
		if precision < 0.99 || recall < 0.97 || float64(c.falseLabels) >= 0.02*float64(c.labels) {
			t.Errorf("%s: precision %.3f, at least .99; recall %.3f, at least .97; false labels %d of %d, below 2 %%", key, precision, recall, c.falseLabels, c.labels)
		}
	}
}
