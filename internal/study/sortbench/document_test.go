package sortbench

import (
	"errors"
	"fmt"
	"iter"
	"math"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/paper"
	"verbatim/internal/study"
	"verbatim/internal/testmain"
	"verbatim/internal/verdict"
)

// A world writes records of lists of the suite.
type world struct {
	model, origin, grader string
	edition               verbatim.Edition
	modes                 []string
	lengths               []int
	lists                 int
	score                 func(mode string, length, list int) float64
	reply                 func(list int) *verbatim.Reply
	repair                func(list int) string
	open                  int // lists without an answer, the first ones
	trials                int
	seed                  uint64
}

func (w world) side() verdict.Side {
	run := verbatim.Run{Name: w.model + "-1", Model: w.model, Origin: w.origin, Plan: verbatim.Plan{Suite: "sortbench", Edition: w.edition, Seed: w.seed, Count: int64(len(w.modes) * len(w.lengths) * w.lists * max(w.trials, 1))}}
	return verdict.Side{Run: run, Records: w.records()}
}

func (w world) records() iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		seq := int64(0)
		for trial := range max(w.trials, 1) {
			for _, mode := range w.modes {
				for _, length := range w.lengths {
					for i := range w.lists {
						rec := w.record(mode, length, i)
						rec.Seq, rec.Trial = seq, trial
						if seq++; !yield(rec, nil) {
							return
						}
					}
				}
			}
		}
	}
}

func (w world) record(mode string, length, i int) verbatim.Record {
	task := panelTasks(mode)[0].task
	rec := verbatim.Record{Outcome: verbatim.Wrong, Item: &verbatim.Item{
		ID: fmt.Sprintf("sortbench:v1.0/%s/%s/%d/list_%d", mode, task, length, i+1),
		Facts: map[string]string{
			verbatim.FactMode: mode, verbatim.FactTask: task, verbatim.FactLength: fmt.Sprint(length), verbatim.FactList: fmt.Sprintf("list_%d", i+1),
			verbatim.FactEdition: string(w.edition), verbatim.FactFamily: "sort-int",
		},
	}}
	if i < w.open {
		rec.Outcome, rec.Failure = verbatim.Errored, &verbatim.Failure{Class: verbatim.Transport}
		return rec
	}
	suffix := "_standard"
	if w.edition == verbatim.Reference {
		suffix = "_published"
	}
	v := w.score(mode, length, i)
	rec.Grade = &verbatim.Grade{Grader: w.grader, Measures: map[string]float64{"validity": 1, "faithfulness": 1}}
	if !math.IsNaN(v) {
		rec.Grade.Measures["sortbench"+suffix], rec.Grade.Measures["sorting"+suffix] = v, v
	}
	if w.reply != nil {
		rec.Reply = w.reply(i)
	}
	if w.repair != nil {
		rec.Grade.Repair = w.repair(i)
	}
	return rec
}

func standard(model string, score func(string, int, int) float64) world {
	return world{model: model, edition: verbatim.Standard, grader: "list/1", modes: modes(), lengths: []int{2, 4}, lists: 4, score: score, seed: 1,
		reply: func(int) *verbatim.Reply { return &verbatim.Reply{Text: "[1]"} }}
}

func flat(v float64) func(string, int, int) float64 {
	return func(_ string, _, i int) float64 { return v + float64(i)/100 }
}

func make2(t *testing.T, worlds ...world) *paper.Document {
	t.Helper()
	var sides []verdict.Side
	for _, w := range worlds {
		sides = append(sides, w.side())
	}
	d, err := document(sides, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func lead(d *paper.Document) string { return strings.Join(d.Lead, "\n") }

// TestNewRuns makes the tables of runs of the standard edition.
func TestNewRuns(t *testing.T) {
	d := make2(t, standard("b", flat(0.5)), standard("a", func(mode string, length, _ int) float64 {
		if length == 4 {
			return 0.4
		}
		return 1
	}))
	table := tableNamed(t, d, "table-1")
	// Weighted by length: (2·1 + 4·0.4)/6 = 0.6.
	if got := table.Rows[0].Cells; got[0] != "Basic" || got[1] != "a" || got[2] != "0.600" || table.Rows[1].Cells[2] != "0.515" || len(table.Rows) != 8 {
		t.Errorf("%v, %v of %d", got, table.Rows[1].Cells, len(table.Rows))
	}
	if n := tableNamed(t, d, "table-3"); n.Number != 3 || n.Rows[0].Key != "b" {
		t.Errorf("Table 3: %+v", n)
	}
	if d.Differences != nil {
		t.Error("models that are not in the paper are compared with it")
	}
	if !strings.Contains(lead(d), "from 0 to 1") || !strings.Contains(lead(d), "over 1440 lists, these over 24") || !strings.Contains(lead(d), "no Figure 1") {
		t.Errorf("the lead says:\n%s", lead(d))
	}
	if len(d.Figures) != 12 || d.Figures[0].Number != 3 {
		t.Errorf("%d figures", len(d.Figures))
	}
}

// TestLacks says what runs do not have, and makes the rest.
func TestLacks(t *testing.T) {
	some := standard("b", flat(0.5))
	some.modes, some.lengths, some.open = []string{"basic"}, []int{2, 24}, 1
	again := standard("a", flat(0.7))
	again.modes, again.lengths, again.trials = []string{"basic"}, []int{2, 24}, 3
	d := make2(t, some, again)
	for _, want := range []string{
		"b: 2 lists without an answer", "lists were sent more than once", "16 others are not shown", "2 lists that not every model answered are left out",
	} {
		if !strings.Contains(lead(d), want) {
			t.Errorf("%q is not in:\n%s", want, lead(d))
		}
	}
	if n := tableNamed(t, d, "table-1").Notes; len(n) != 1 || !strings.Contains(n[0], "advanced and debug") {
		t.Errorf("notes of Table 1: %q", n)
	}
	if n := tableNamed(t, d, "table-length-24"); n.Number != 0 {
		t.Errorf("a table of length 24 has number %d", n.Number)
	}
	if len(d.Figures) != 4 {
		t.Errorf("%d figures of one mode", len(d.Figures))
	}
}

// TestThin leaves out the table of a length at which a model has no two scores.
func TestThin(t *testing.T) {
	for defined, want := range map[int]string{0: "b has no list of a defined score", 1: "b has one list of a defined score"} {
		d := make2(t, standard("a", flat(0.5)), standard("b", func(mode string, length, list int) float64 {
			if length == 2 && (mode != "debug" || list >= defined) {
				return math.NaN()
			}
			return 1
		}))
		if !strings.Contains(lead(d), "no table of length 2: "+want) {
			t.Errorf("the lead says:\n%s", lead(d))
		}
		for _, table := range d.Tables {
			if table.Name == "table-2" {
				t.Error("Table 2 is there")
			}
		}
	}
}

// TestOneModel has no ranks.
func TestOneModel(t *testing.T) {
	d := make2(t, standard("a", flat(0.5)))
	if len(d.Tables) != 1 || len(d.Figures) != 12 || !strings.Contains(lead(d), "which takes two") {
		t.Errorf("%d tables, %d figures:\n%s", len(d.Tables), len(d.Figures), lead(d))
	}
}

// TestRefusals refuses other suites, other normalisations, and the same run twice.
func TestRefusals(t *testing.T) {
	reference := standard("r", flat(0.5))
	reference.edition = verbatim.Reference
	other := standard("o", flat(0.5)).side()
	other.Records = func(yield func(verbatim.Record, error) bool) {
		yield(verbatim.Record{Outcome: verbatim.Pass, Item: &verbatim.Item{ID: "reverse@1/len=4"}, Grade: &verbatim.Grade{}}, nil)
	}
	broken := standard("x", flat(0.5)).side()
	broken.Records = func(yield func(verbatim.Record, error) bool) { yield(verbatim.Record{}, errors.New("the disk")) }
	empty := standard("e", flat(0.5))
	empty.open = empty.lists
	seeded := standard("s", flat(0.5))
	seeded.seed = 2
	a := standard("a", flat(0.5)).side()
	for name, sides := range map[string][]verdict.Side{
		"reverse@1/len=4": {a, other}, "edition": {a, reference.side()}, "the seed differs: 1 in the first, 2": {a, seeded.side()}, "the disk": {broken}, "same run": {a, a}, "no answered list in common": {a, empty.side()},
	} {
		_, err := document(sides, Options{})
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
		var refused *verdict.Refusal
		var suite *study.Foreign
		if errors.As(err, &refused) && refused.Hint() == "" || errors.As(err, &suite) && suite.Hint() == "" {
			t.Errorf("%s: the error does not say what to do", name)
		}
	}
}

// TestTokens: tokens are shown where the server counts them, characters where the
// reasoning is in the text.
func TestTokens(t *testing.T) {
	counting, writing := standard("counts", flat(0.5)), standard("writes", flat(0.4))
	counting.reply = func(i int) *verbatim.Reply {
		n := int64(100 * i)
		return &verbatim.Reply{Text: "[1]", Usage: verbatim.Usage{Reasoning: &n}}
	}
	counting.repair = func(i int) string { return []string{"", "Missing closing bracket", "", ""}[i] }
	writing.reply = func(int) *verbatim.Reply { return &verbatim.Reply{Text: "<think>äöü</think>[1]"} }
	d := make2(t, counting, writing)
	f := d.Figures[0].Figure
	if d.Figures[0].Number != 1 || len(f.Panels) != 2 || f.Panels[0].Y.Label != "reasoning tokens" || f.Panels[1].Y.Label != "characters of <think> text" {
		t.Fatalf("%+v", f)
	}
	if b := f.Panels[1].Boxes[0]; b.Median != 3 || b.At != 3 || b.N != 24 {
		t.Errorf("%+v", b)
	}
	if b := f.Panels[0].Boxes[0]; b.Median != 150 || b.High != 300 {
		t.Errorf("%+v", b)
	}
	if d.Figures[1].Number != 2 || d.Figures[1].Figure.Panels[0].Bars[0].Values[0] != 6 {
		t.Errorf("%+v", d.Figures[1].Figure)
	}
}

func TestThinking(t *testing.T) {
	for text, want := range map[string]string{
		"[1]": "", "<think>ab</think>[1]": "ab", "ab</think>[1]": "ab", "x<think>ab": "ab", "<think></think>[1]": "",
	} {
		got, ok := shownReasoning(&verbatim.Reply{Text: text})
		if ok != strings.Contains(text, "think>") || ok && got != want {
			t.Errorf("%q: %q, %v", text, got, ok)
		}
	}
	if got, ok := shownReasoning(&verbatim.Reply{Text: "<think>b</think>", Reasoning: "abc"}); !ok || got != "abc" {
		t.Errorf("%q", got)
	}
}

// TestNames: runs of the paper's files have the paper's names, and no two runs have the
// same name.
func TestNames(t *testing.T) {
	e := func(model, origin, name string) *entrant {
		return &entrant{run: verbatim.Run{Model: model, Origin: origin, Name: name}}
	}
	all := []*entrant{e("deepseekr1", exchange.OriginSortBench, "d-1"), e("o3-mini", exchange.OriginSortBench, "o-1"), e("o3-mini", "", "o-2"), e("new", "", "n-1"), e("evil\x1b", "", "e-1")}
	nameEntrants(all)
	for i, want := range []string{"DeepSeek-r1", "o-1", "o-2", "new", "evil␛"} {
		if all[i].name != want {
			t.Errorf("%d: %q, want %q", i, all[i].name, want)
		}
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }

// TestChoose wants the newest run of every model of the lists that most models have, and a
// note on a model that has others alone.
func TestChoose(t *testing.T) {
	run := func(n int64, model string, seed uint64) verbatim.Run {
		return verbatim.Run{N: n, Name: model + "-1", Model: model, Plan: verbatim.Plan{Seed: seed}}
	}
	runs := []verbatim.Run{run(1, "alone", 2), run(2, "alpha", 1), run(3, "alpha", 1), run(4, "beta", 1), run(5, "beta", 2), run(6, "gamma", 1)}
	chosen, notes := choose(runs)
	var list []int64
	for _, r := range chosen {
		list = append(list, r.N)
	}
	if len(list) != 3 || list[0] != 3 || list[1] != 4 || list[2] != 6 {
		t.Errorf("the runs are %v, want 3, 4 and 6", list)
	}
	if len(notes) != 1 || !strings.Contains(notes[0], "run 1 (alone-1)") {
		t.Errorf("the notes are %q", notes)
	}
	if chosen, notes := choose(nil); chosen != nil || notes != nil {
		t.Errorf("of no run: %v %v", chosen, notes)
	}
}

// TestSameLists wants imported scores, imported outputs and lists of one release that
// were sent to be the same lists.
func TestSameLists(t *testing.T) {
	scores := verbatim.Run{Origin: exchange.OriginSortBench, Plan: verbatim.Plan{Items: &verbatim.ItemFile{Name: "v1.0", SHA256: "a", N: 1440}}}
	asked := verbatim.Run{Plan: verbatim.Plan{Items: &verbatim.ItemFile{Name: "v1.0", SHA256: "b", N: 1440}}}
	few := verbatim.Run{Plan: verbatim.Plan{Items: &verbatim.ItemFile{Name: "v1.0", SHA256: "c", N: 6}}}
	if !sameLists(&scores, &asked) || sameLists(&asked, &few) || sameLists(&scores, &verbatim.Run{}) {
		t.Error("published scores and a run of the same lists must be the same lists; 1,440 and 6 lists of one name, or a run without lists, must not")
	}
}
