package verdict_test

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/verdict"
)

// oracle reads a file of reference data, which is not part of the project.
func oracle(t testing.TB, name string) []byte {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	data, err := os.ReadFile(filepath.Join(dir, "..", "shared", "oracle", name))
	if err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatal(err)
		}
		t.Skipf("the reference data is not here: %v", err)
	}
	return data
}

// published makes a side for each model of the published scores.
func published(t testing.TB) map[string]verdict.Side {
	t.Helper()
	var in struct {
		Cells [][2]any
		V     map[string][][]float64
	}
	if err := json.Unmarshal(oracle(t, "stats/cells.json"), &in); err != nil {
		t.Fatal(err)
	}
	sides := map[string]verdict.Side{}
	for model, cells := range in.V {
		var records []verbatim.Record
		for i, cell := range cells {
			for j, v := range cell {
				records = append(records, record(len(records), item(in.Cells[i][0].(string), int(in.Cells[i][1].(float64)), j), 0, v))
			}
		}
		sides[model] = side(model, records...)
	}
	return sides
}

// TestPublishedPairs compares the 21 pairs of published models with reference
// values that were computed apart from this program.
func TestPublishedPairs(t *testing.T) {
	sides := published(t)
	rows, err := csv.NewReader(strings.NewReader(string(oracle(t, "stats/compare_ref.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	known := map[string]*verdict.Comparison{}
	checked := 0
	for _, row := range rows[1:] {
		if row[6] != "stratified" {
			continue
		}
		key := row[1] + "/" + row[2]
		if known[key] == nil {
			if testing.Short() && len(known) == 3 {
				continue
			}
			known[key] = compare(t, sides[row[1]], sides[row[2]], options())
		}
		c := known[key]
		got, items := c.Difference, c.Items
		for _, r := range c.Lengths {
			if r.Length == row[0] {
				got, items = r.Difference, r.Items
			}
		}
		figure := func(i int) float64 {
			v, err := strconv.ParseFloat(row[i], 64)
			if err != nil {
				t.Fatal(err)
			}
			return v
		}
		for i, v := range map[int]float64{3: float64(items), 4: got.Value, 7: got.Low, 8: got.High, 9: got.Worse, 10: got.Equivalent, 11: got.Better} {
			tolerance := 1.5e-6
			if i == 7 || i == 8 {
				tolerance = 1.5e-5
			}
			if math.Abs(v-figure(i)) > tolerance {
				t.Errorf("%s, length %s, %s: %v, reference %v", key, row[0], rows[0][i], v, figure(i))
			}
		}
		checked++
	}
	if checked < 12 {
		t.Fatalf("only %d rows were checked", checked)
	}
}

// TestPublishedLimits compares L50 of the published models with reference values.
func TestPublishedScopes(t *testing.T) {
	sides := published(t)
	rows, err := csv.NewReader(strings.NewReader(string(oracle(t, "stats/paired_se.csv")))).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:3] {
		c := compare(t, sides[row[0]], sides[row[1]], options())
		want, err := strconv.ParseFloat(row[6], 64)
		if err != nil {
			t.Fatal(err)
		}
		if c.Tasks == nil || math.Abs(c.Tasks.SE-want) > 1e-6 || c.Tasks.N != 18 {
			t.Errorf("%s, %s: tasks %+v, want SE %v", row[0], row[1], c.Tasks, want)
		}
	}
}

func TestVerdicts(t *testing.T) {
	same := func(n int, score float64) []float64 {
		s := make([]float64, n)
		for i := range s {
			s[i] = score
		}
		return s
	}
	for _, c := range []struct {
		name string
		a, b []float64
		want verdict.Word
	}{
		{"all ties, many", same(180, 1), same(180, 1), verdict.Equivalent},
		{"all ties, few", same(20, 1), same(20, 1), verdict.Inconclusive},
		{"all wrong, both", same(180, 0), same(180, 0), verdict.Equivalent},
		{"B fails throughout", same(20, 1), same(20, 0), verdict.Worse},
		{"B is right throughout", same(20, 0), same(20, 1), verdict.Better},
		{"one item, worse", same(1, 1), same(1, 0), verdict.Inconclusive},
		{"one item, tie", same(1, 1), same(1, 1), verdict.Inconclusive},
	} {
		got := compare(t, scores("a", c.a...), scores("bb", c.b...), options())
		if got.Word != c.want {
			t.Errorf("%s: %s, want %s", c.name, got.Word, c.want)
		}
		if (got.Settle != nil) != (c.want == verdict.Inconclusive) {
			t.Errorf("%s: settle %+v", c.name, got.Settle)
		}
		if d := got.Difference; !(d.Low < d.High) {
			t.Errorf("%s: an interval from %v to %v", c.name, d.Low, d.High)
		}
	}
}

// TestBinaryReference holds the posterior of right and wrong answers against
// values of the Dirichlet-multinomial model, computed apart from this program.
func TestBinaryReference(t *testing.T) {
	var a, b []float64
	for i := range 100 { // 10 only A right, 3 only B, 87 both
		x, y := 1.0, 1.0
		if i < 10 {
			y = 0
		} else if i < 13 {
			x = 0
		}
		a, b = append(a, x), append(b, y)
	}
	c := compare(t, scores("a", a...), scores("bb", b...), options())
	for _, v := range []struct{ got, want float64 }{
		{c.Difference.Worse, .9204725}, {c.Difference.Equivalent, .0735720}, {c.Difference.Better, .0059555},
		{c.Success.Worse, .9204725}, {c.Success.P, .057373},
	} {
		if math.Abs(v.got-v.want) > 1e-6 {
			t.Errorf("%v, want %v", v.got, v.want)
		}
	}
	if c.Flips.OnlyA != 10 || c.Flips.OnlyB != 3 || len(c.Flips.List) != 13 || c.Flips.List[0].B.Label != "altered" {
		t.Errorf("flips %+v", c.Flips)
	}
	if c.A.Right != 90+7 || math.Abs(c.A.Share-.97) > 1e-12 {
		t.Errorf("A %+v", c.A.Part)
	}
}

// TestRefusals changes one field at a time, and wants it named.
func TestRefusals(t *testing.T) {
	cells := []verbatim.Cell{{Family: "copy", Version: 1, Length: verbatim.Lengths{Min: 8, Max: 8}, N: 3}}
	for _, c := range []struct {
		field  string
		change func(*verdict.Side)
	}{
		{"run", func(s *verdict.Side) { *s = scores("a", 1, 1, 1) }},
		{"edition", func(s *verdict.Side) { s.Run.Plan.Edition = verbatim.Paper }},
		{"seed", func(s *verdict.Side) { s.Run.Plan.Seed = 7 }},
		{"version of the family copy", func(s *verdict.Side) {
			s.Run.Plan.Cells = []verbatim.Cell{{Family: "copy", Version: 2, Length: verbatim.Lengths{Min: 8, Max: 8}, N: 3}}
		}},
		{"prompt", func(s *verdict.Side) { s.Run.Plan.Variant = &verbatim.Variant{Shots: 3} }},
		{"items", func(s *verdict.Side) { // nothing in common
			s.Run.Plan.Hash, s.Records = "q", each([]verbatim.Record{record(0, item("copy", 9, 0), 0, 1)})
		}},
		{"items", func(s *verdict.Side) { // nothing answered
			s.Records = each([]verbatim.Record{lost(0, item("copy", 8, 0), 0)})
		}},
		{"items", func(s *verdict.Side) { s.Records = each(nil) }},
		{"items", func(s *verdict.Side) { // the same place twice
			r := record(0, item("copy", 8, 0), 0, 1)
			s.Records = each([]verbatim.Record{r, r})
		}},
		{"items", func(s *verdict.Side) { // the same item twice in a trial, at two places
			r := record(0, item("copy", 8, 0), 0, 1)
			s.Run.Plan.Hash, s.Records = "q", each([]verbatim.Record{r, record(1, r.Item, 0, 1)})
		}},
		{"grader", func(s *verdict.Side) {
			r := record(0, item("copy", 8, 0), 0, 1)
			r.Grade.Grader = "text/2"
			s.Records = each([]verbatim.Record{r})
		}},
	} {
		a, b := scores("a", 1, 1, 1), scores("bb", 1, 1, 1)
		a.Run.Plan.Cells, b.Run.Plan.Cells = cells, cells
		c.change(&b)
		_, err := verdict.Compare(a, b, options())
		var r *verdict.Refusal
		if !errors.As(err, &r) {
			t.Errorf("%s: error %v", c.field, err)
			continue
		}
		if r.Field != c.field || r.Hint() == "" || !r.Misuse() || !strings.Contains(r.Error(), "a and ") {
			t.Errorf("%s: %+v: %v", c.field, r, r)
		}
	}
	own := func(sum string) verdict.Side {
		s := scores("a"+sum, 1, 1)
		s.Run.Plan.Suite, s.Run.Plan.Hash, s.Run.Plan.Items = "items", sum, &verbatim.ItemFile{Name: "mine.jsonl", SHA256: sum}
		return s
	}
	var r *verdict.Refusal
	if _, err := verdict.Compare(own("1"), own("2"), options()); !errors.As(err, &r) || r.Field != "items file" {
		t.Errorf("other files of items: %v", err)
	}
}

// TestMissingAnswers withholds a verdict above the bound, and not at it.
func TestMissingAnswers(t *testing.T) {
	with := func(name string, gone int) verdict.Side {
		var records []verbatim.Record
		for i := range 100 {
			if it := item("copy", 8, i); i < gone {
				records = append(records, lost(i, it, 0))
			} else {
				records = append(records, record(i, it, 0, float64(i%2)))
			}
		}
		return side(name, records...)
	}
	for gone, withheld := range map[int]bool{0: false, 2: false, 3: true} {
		c := compare(t, with("a", 0), with("bb", gone), options())
		if (c.Word == verdict.Withheld) != withheld || (len(c.Why) > 0) != withheld {
			t.Errorf("%d unanswered: %s %v", gone, c.Word, c.Why)
		}
		if c.Items != int64(100-gone) || c.Left.UnansweredB != int64(gone) || math.Abs(c.Left.Share-float64(gone)/100) > 1e-12 {
			t.Errorf("%d unanswered: %d items, left %+v", gone, c.Items, c.Left)
		}
	}
	o := options()
	o.MaxUnanswered = 0.5
	if c := compare(t, with("a", 0), with("bb", 40), o); c.Word == verdict.Withheld {
		t.Errorf("below the bound that was asked for: %s", c.Word)
	}
}

// TestUndecidedLimits withholds a verdict where one side was cut short more often.
func TestUndecidedLimits(t *testing.T) {
	with := func(name string, short int, detail string) verdict.Side {
		var records []verbatim.Record
		for i := range 100 {
			r := record(i, item("copy", 8, i), 0, 1)
			if i < short {
				r = record(i, item("copy", 8, i), 0, 0)
				r.Outcome, r.Grade.Outcome, r.Grade.Detail = verbatim.Limit, verbatim.Limit, detail
			}
			records = append(records, r)
		}
		return side(name, records...)
	}
	for _, c := range []struct {
		a, b   int
		detail string
		want   bool
	}{{0, 3, "prefix", true}, {3, 0, "prefix", true}, {3, 3, "prefix", false}, {0, 2, "prefix", false}, {0, 50, "diverged", false}} {
		got := compare(t, with("a", c.a, c.detail), with("bb", c.b, c.detail), options())
		if (got.Word == verdict.Withheld) != c.want {
			t.Errorf("%+v: %s %v", c, got.Word, got.Why)
		}
	}
}

// TestRepeats counts an item once, however often it was asked.
func TestRepeats(t *testing.T) {
	trials := func(name string, n int, score func(i, trial int) float64) verdict.Side {
		var records []verbatim.Record
		for trial := range n {
			for i := range 50 {
				records = append(records, record(len(records), item("copy", 8, i), trial, score(i, trial)))
			}
		}
		s := side(name, records...)
		s.Run.Plan.Trials, s.Run.Plan.Hash = n, "trials "+strconv.Itoa(n)
		return s
	}
	half := func(i, trial int) float64 { return float64((i + trial) % 2) }
	c := compare(t, trials("a", 4, half), trials("bb", 4, half), options())
	if c.Items != 50 || c.A.Answers != 200 || c.Difference.Value != 0 || c.Flips.OnlyA+c.Flips.OnlyB != 0 {
		t.Errorf("the same answers: %d items, %d answers, %v, %+v", c.Items, c.A.Answers, c.Difference.Value, c.Flips)
	}
	first := func(i, trial int) float64 {
		if trial == 0 || i > 4 {
			return 1
		}
		return 0
	}
	c = compare(t, trials("a", 4, func(int, int) float64 { return 1 }), trials("bb", 4, first), options())
	if want := -5 * 0.75 / 50; math.Abs(c.Difference.Value-want) > 1e-12 || c.Flips.OnlyA != 5 || c.B.Right != 200-15 {
		t.Errorf("five items wrong in three of four trials: %+v", c)
	}
	once := trials("a", 1, func(int, int) float64 { return 1 })
	c = compare(t, once, trials("bb", 4, first), options())
	if c.A.Answers != 50 || c.B.Answers != 200 || c.Items != 50 || !has(c.Notes, "trials") {
		t.Errorf("once beside four times: %d and %d answers, notes %v", c.A.Answers, c.B.Answers, c.Notes)
	}
}

func has(list []verdict.Remark, kind string) bool {
	for _, r := range list {
		if r.Kind == kind {
			return true
		}
	}
	return false
}

// TestOverlap compares what two plans have in common and counts the rest.
func TestOverlap(t *testing.T) {
	a, b := scores("a", 1, 1, 1, 1, 1), scores("bb", 1, 1, 1)
	b.Run.Plan.Hash = "q"
	c := compare(t, a, b, options())
	if c.Items != 3 || c.Left.OnlyA != 2 || c.Left.OnlyB != 0 || !has(c.Warnings, "plans") {
		t.Errorf("%d items, left %+v, warnings %v", c.Items, c.Left, c.Warnings)
	}
	c = compare(t, b, a, options())
	if c.Left.OnlyB != 2 {
		t.Errorf("the other way: left %+v", c.Left)
	}
}

// TestStrata names what a posterior is stratified by, and falls back where a cell
// or a length has a single item.
func TestStrata(t *testing.T) {
	grid := func(families, lengths []int) (a, b verdict.Side) {
		var ra, rb []verbatim.Record
		for i := range families {
			it := item("task"+strconv.Itoa(families[i]), lengths[i], i)
			ra, rb = append(ra, record(i, it, 0, 1)), append(rb, record(i, it, 0, float64(i%3)/2))
		}
		return side("a", ra...), side("bb", rb...)
	}
	for _, c := range []struct {
		families, lengths []int
		by                string
		even              bool
	}{
		{[]int{0, 0, 1, 1}, []int{8, 8, 8, 8}, "cells", true},
		{[]int{0, 0, 1, 1, 1}, []int{8, 8, 8, 8, 8}, "cells", false},
		{[]int{0, 1, 0, 1}, []int{8, 8, 16, 16}, "lengths", true},
		{[]int{0, 1, 0}, []int{8, 8, 16}, "none", true},
		{[]int{0, 0, 0}, []int{8, 8, 8}, "none", true},
	} {
		a, b := grid(c.families, c.lengths)
		got := compare(t, a, b, options())
		if string(got.Difference.Stratified) != c.by || got.Even != c.even {
			t.Errorf("families %v, lengths %v: by %s, even %v", c.families, c.lengths, got.Difference.Stratified, got.Even)
		}
	}
}

// TestUndefinedScore counts it as 0 and says so.
func TestUndefinedScore(t *testing.T) {
	a, b := scores("a", 1, 1), scores("bb", 1, 1)
	var records []verbatim.Record
	for r := range b.Records {
		r.Grade.Score = nil
		records = append(records, r)
	}
	b.Records = each(records)
	c := compare(t, a, b, options())
	if c.Difference.Value != -1 || c.B.Undefined != 2 || !has(c.Notes, "undefined") {
		t.Errorf("difference %v, undefined %d, notes %v", c.Difference.Value, c.B.Undefined, c.Notes)
	}
	o := options()
	o.Score = func(*verbatim.Item, *verbatim.Grade) (float64, bool) { return math.NaN(), true }
	if _, err := verdict.Compare(scores("a", 1), scores("bb", 1), o); err == nil || !strings.Contains(err.Error(), "copy@1/len=8/seed=1/0") {
		t.Errorf("a score that is not a number: %v", err)
	}
}

// TestBrokenStreams passes on the errors of reading, and ends the other side.
func TestBrokenStreams(t *testing.T) {
	broken := errors.New("the disk is on fire")
	for _, which := range []int{0, 1} {
		sides := []verdict.Side{scores("a", make([]float64, 3000)...), scores("bb", make([]float64, 3000)...)}
		good := sides[which].Records
		ended := make(chan bool, 1)
		sides[which].Records = func(yield func(verbatim.Record, error) bool) {
			n := 0
			for r := range good {
				if n++; n > 700 {
					yield(verbatim.Record{}, broken)
					return
				}
				if !yield(r, nil) {
					return
				}
			}
		}
		other := sides[1-which].Records
		sides[1-which].Records = func(yield func(verbatim.Record, error) bool) {
			defer func() { ended <- true }()
			other(yield)
		}
		if _, err := verdict.Compare(sides[0], sides[1], options()); !errors.Is(err, broken) {
			t.Errorf("error %v", err)
		}
		<-ended
	}
}

func BenchmarkCompare(b *testing.B) {
	x, y := drawn(18, 8, 10, 0.02, 1)
	for b.Loop() {
		compare(b, x, y, options())
	}
}

// BenchmarkPairs is the time of a pair in a long comparison.
func BenchmarkPairs(b *testing.B) {
	x, y := drawn(18, 8, 100, 0.02, 1)
	for b.Loop() {
		compare(b, x, y, options())
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/14400, "ns/pair")
}
