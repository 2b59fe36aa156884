package grade_test

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/pylit"
)

// A judgedReply is a line of the files in extract/testdata: a reply that was read and
// judged by hand, with ⟦ and ⟧ around the answer that it gives.
type judgedReply struct {
	Part    string          `json:"part"` // see extract/testdata/README.md
	Kind    string          `json:"kind"`
	Source  json.RawMessage `json:"source"`
	Want    json.RawMessage `json:"want"`
	Finish  verbatim.Finish `json:"finish"`
	Marked  string          `json:"marked"`
	Unclear bool            `json:"unclear"` // readers may differ; left out of the shares
	Non     string          `json:"non"`     // what a reply without an answer is
	Prompt  string          `json:"prompt"`  // the question, where it shows more than the source
	Right   *bool           `json:"right"`   // whether the marked answer is the right one, as the reader says

	// Labels are those that are true to the reader; none: only what Non says was judged.
	Labels   []string           `json:"labels"`
	Mistakes []verbatim.Mistake `json:"mistakes"` // that the item foresees

	place string // file and line
}

func (j *judgedReply) item(t *testing.T) *verbatim.Item {
	var source, want verbatim.Answer
	if err := json.Unmarshal(j.Source, &source); err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(j.Want, &want); err != nil {
		t.Fatal(err)
	}
	it := &verbatim.Item{ID: "judged", Want: want, Source: &source, Mistakes: j.Mistakes}
	if j.Kind == "integer" {
		it.Grader = "integer"
	}
	if j.Prompt != "" {
		it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: j.Prompt}}}}
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
	for _, name := range []string{"replies", "lists", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "siblings", "ninth", "tenth", "eleventh", "twelfth", "thirteenth", "fourteenth", "fifteenth", "sixteenth", "seventeenth", "eighteenth", "nineteenth", "twentieth", "twentyfirst", "twentysecond", "twentythird", "twentyfourth", "twentyfifth", "twentysixth", "twentyseventh", "twentyeighth", "twentyninth", "thirtieth", "thirtyfirst", "thirtysecond", "languages", "thirtythird", "thirtyfourth", "thirtyfifth", "thirtysixth", "thirtyseventh", "thirtyeighth", "thirtyninth", "fortieth"} {
		all = append(all, readJudgedFile(t, name+".jsonl")...)
	}
	return all
}

func readJudgedFile(t *testing.T, name string) (all []judgedReply) {
	file, err := os.Open(filepath.Join("extract", "testdata", name))
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
		j.place = fmt.Sprintf("extract/testdata/%s:%d", name, len(all)+1)
		all = append(all, j)
	}
	return all
}

// givesRight reports whether a reader finds the right answer in the reply.
func (j *judgedReply) givesRight(t *testing.T) bool {
	_, answer, given := j.reply()
	if !given || j.Right != nil {
		return given && *j.Right
	}
	it := j.item(t)
	if !it.Want.IsList() {
		return answer == it.Want.Text || linesOf(answer) == it.Want.Text
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

// linesOf returns the lines of an answer without the bullets, numbers and quotation marks
// that were written around them, and the texts of a JSON list as lines.
func linesOf(answer string) string {
	var texts []string
	if json.Unmarshal([]byte(answer), &texts) != nil {
		texts = strings.Split(answer, "\n")
	}
	for i, line := range texts {
		for n := 1; n < 10; n++ {
			line = strings.TrimPrefix(strings.TrimPrefix(line, strconv.Itoa(n)+". "), strconv.Itoa(n)+") ")
		}
		texts[i] = strings.Trim(strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(line, "- "), "* "), "> "), "`*")
	}
	return strings.Join(texts, "\n")
}

// falseLabel reports whether a label is false to the reader.
func (j *judgedReply) falseLabel(label string, given bool) bool {
	if len(j.Labels) > 0 {
		return !slices.Contains(j.Labels, label) && !slices.Contains(j.Labels, grade.Older(label))
	}
	nonAnswers := []string{"refusal", "code", "echo", "talk", "reasoning_leak", "unparsed"}
	if given {
		return slices.Contains([]string{"refusal", "code", "echo", "talk", "unparsed"}, label)
	}
	return j.Non != "" && label != j.Non && !(j.Non == "talk" && label != "refusal" && slices.Contains(nonAnswers, label))
}

// TestJudgedReplies compares the grades of replies with what a reader said of them before.
func TestJudgedReplies(t *testing.T) {
	type count struct{ both, ours, theirs, labels, falseLabels int }
	counts := map[string]*count{}
	differences := map[string]string{} // between the reader and the grader, by part
	for _, j := range readJudged(t) {
		if j.Unclear {
			continue
		}
		text, answer, given := j.reply()
		g := grade.Of(j.item(t), text, j.Finish)
		right := j.givesRight(t)
		falseLabel := j.falseLabel(g.Label, given)
		for _, key := range []string{j.Kind + " " + j.Part, j.Kind} {
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
		note := func(format string, args ...any) {
			for _, key := range []string{j.Kind + " " + j.Part, j.Kind} {
				differences[key] += fmt.Sprintf("\n%s: "+format+", rule %q: %.300q", append(append([]any{j.place}, args...), g.Rule, text)...)
			}
		}
		switch {
		case right != g.Extracted:
			note("right to the reader: %v; to the grader: %v, label %s", right, g.Extracted, g.Label)
		case falseLabel:
			note("the label %s is false: the reader says %q", g.Label, append(j.Labels, j.Non))
		case g.Span != nil && given && !strings.Contains(answer, text[g.Span.Start:g.Span.End]) && !strings.Contains(text[g.Span.Start:g.Span.End], answer):
			note("the answer is %q to the reader, and %q to the grader", answer, text[g.Span.Start:g.Span.End])
		}
	}
	for key, c := range counts {
		precision, recall := float64(c.both)/float64(c.ours), float64(c.both)/float64(c.theirs)
		if testing.Verbose() {
			t.Logf("%-16s %3d replies, precision %.3f, recall %.3f, false labels %d%s", key, c.labels, precision, recall, c.falseLabels, differences[key])
		}
		mostFalse, leastPrecision, leastRecall := 0.02, 0.99, 0.97
		if slices.ContainsFunc(laterParts, func(part string) bool { return strings.HasSuffix(key, " "+part) }) {
			mostFalse = 0.05
		}
		if recall, most, ok := firstLook(key); ok {
			mostFalse, leastPrecision, leastRecall = (most+0.5)/float64(c.labels), 1, recall
		}
		if precision < leastPrecision || recall < leastRecall || float64(c.falseLabels) >= mostFalse*float64(c.labels) {
			t.Errorf("%s: precision %.3f, at least %.2f; recall %.3f, at least %.2f; %d of %d labels are false (no reader gives them), below %.1f %% wanted%s",
				key, precision, leastPrecision, recall, leastRecall, c.falseLabels, c.labels, 100*mostFalse, differences[key])
		}
	}
}

// falseLabels has the bars of the parts by other authors: how many labels of texts, of integers and of lists
// were false when the part was read, or since a rule was changed for what it showed; "-": the usual bars.
const falseLabels = `ninth - - 0, tenth 0 0 0, eleventh 1 - 1, twelfth 1 1 -, thirteenth 1 - -,
fifteenth 1 - -, sixteenth 0 0 3, seventeenth 1 - -, eighteenth 0 0 1, nineteenth 2 1 0,
twentieth 0 0 0, twentyfirst 0 0 -, twentysecond 0 0 0, twentythird 0 0 -, twentyfourth 0 1 0,
twentyfifth 0 0 0, twentysixth 0 0 1, twentyseventh 1 0 1, twentyeighth 2 1 0, twentyninth 0 0 1,
thirtieth 0 0 1, thirtyfirst 0 1 0, thirtysecond 0 0 0, thirtythird 0 2 1, thirtyfourth 2 1 1,
thirtyfifth 0 0 0, thirtysixth 0 1 0, thirtyseventh 0 0 0, thirtyeighth 0 1 1, thirtyninth 0 0 1,
fortieth 0 0 1`

// firstLook returns the bars of a kind of replies in a part, such as "text tenth".
func firstLook(key string) (recall, mostFalse float64, ok bool) {
	kind, part, _ := strings.Cut(key, " ")
	for _, row := range strings.Split(falseLabels, ",") {
		if f := strings.Fields(row); f[0] == part {
			n, err := strconv.ParseFloat(f[1+slices.Index([]string{"text", "integer", "list"}, kind)], 64)
			if key == "integer sixteenth" || key == "text twentyseventh" {
				return 0.94, n, err == nil
			}
			return 1, n, err == nil
		}
	}
	return 0, 0, false
}

// laterParts are parts with more false labels than the goal allows, and no rule follows them.
var laterParts = []string{"fourth", "seventh"}

// TestExtractionKnowsNoAnswer: another expected answer gives the same span by the same rule.
// A reply that is exact, and a damaged list that is the right one once repaired, are found
// by comparison and left out.
func TestExtractionKnowsNoAnswer(t *testing.T) {
	compared := 0
	for i, j := range readJudged(t) {
		if i%exhaustive.Of(4, 1) != 0 {
			continue
		}
		text, _, _ := j.reply()
		it := j.item(t)
		g := grade.Of(it, text, j.Finish)
		for _, other := range otherAnswers(it.Want) {
			changed := *it
			changed.Want = other
			h := grade.Of(&changed, text, j.Finish)
			if g.Exact || h.Exact || strings.HasPrefix(g.Rule, "repair") || strings.HasPrefix(h.Rule, "repair") {
				continue
			}
			compared++
			if g.Rule != h.Rule || (g.Span == nil) != (h.Span == nil) || g.Span != nil && *g.Span != *h.Span {
				t.Errorf("%s: rule %q span %v, and where %+v is expected %q %v: %q", j.Kind, g.Rule, g.Span, other, h.Rule, h.Span, text)
			}
		}
	}
	if compared < 1000 {
		t.Errorf("only %d comparisons", compared)
	}
}

// otherAnswers returns answers of the same form as want.
func otherAnswers(want verbatim.Answer) []verbatim.Answer {
	if want.IsList() {
		other := slices.Clone(want.List)
		slices.Reverse(other)
		return []verbatim.Answer{{List: other}, {List: other[:(len(other)+1)/2]}}
	}
	other := []byte(want.Text)
	for i, c := range other {
		switch {
		case '0' <= c && c <= '8', 'a' <= c && c < 'z', 'A' <= c && c < 'Z':
			other[i]++
		}
	}
	return []verbatim.Answer{verbatim.TextAnswer(string(other)), verbatim.TextAnswer(want.Text[:(len(want.Text)+1)/2])}
}

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
