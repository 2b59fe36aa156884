package page

import (
	"bytes"
	"fmt"
	"iter"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// attack is what an attacker may put into any text.
const attack = `</title></style></script></textarea>--><script>alert(1)</script><img src=x onerror=alert(1)>" onmouseover='alert(1)' style="color:red" {{.Policy}} javascript:alert(1) &lt; ` +
	"\u202egnp.exe\u2066 \x1b]0;owned\x07\x1b[31m \x00 \xff \u200b \u2028 ]]> \r\n"

// TestHostileReport puts an attack into every text of a report but for the words of
// closed sets, and looks at each tag of the page.
func TestHostileReport(t *testing.T) {
	w := world{models: []string{"alpha" + attack, "beta" + attack}, families: []string{"reverse" + attack, "copy"}, lengths: []string{"8", "x" + attack}, each: 2, reply: attack, label: "odd" + attack}
	r := w.report(t)
	if n := poison(reflect.ValueOf(r), attack); n < 150 {
		t.Fatalf("only %d texts were changed", n)
	}
	r.Groups = &report.Grouping{By: []string{attack, attack}, Groups: []report.Group{{Key: []string{attack, attack}, Mixed: []report.Mixed{{Fact: attack, Values: []report.Count{{Name: attack, N: 1}}}}}}}
	harmless(t, rendered(t, r))
}

// TestNamesOfAnyKind gives runs and families names of any characters.
func TestNamesOfAnyKind(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", " ", attack, strings.Repeat("long", 3000), "\xff\xfe", "<", "&"}))
		r := &report.Report{Runs: []report.Block{{Head: report.Head{Name: text.Draw(t, "name"), Model: text.Draw(t, "model"), Suite: text.Draw(t, "suite")}}}}
		r.Runs[0].Families = []report.Family{{Name: text.Draw(t, "family"), Lines: []report.Line{{Length: text.Draw(t, "length")}}}}
		var b strings.Builder
		if err := Report(&b, r); err != nil {
			t.Fatal(err)
		}
		harmless(t, b.String())
		if b.Len() > 200_000 {
			t.Errorf("the page of one run has %d bytes", b.Len())
		}
	})
}

// poison sets every text below v but for closed sets, and returns how many there are.
func poison(v reflect.Value, text string) int {
	n := 0
	switch v.Kind() {
	case reflect.Pointer, reflect.Interface:
		if !v.IsNil() {
			n = poison(v.Elem(), text)
		}
	case reflect.Struct:
		if _, made := v.Interface().(recordview.Difference); made { // its texts are Visible
			return 0
		}
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() && f.Name != "Explanation" {
				n += poison(v.Field(i), text)
			}
		}
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			return 0
		}
		for i := range v.Len() {
			n += poison(v.Index(i), text)
		}
	case reflect.String:
		switch v.Interface().(type) {
		case verdict.Word, verbatim.Outcome, report.Metric:
			return 0
		}
		if v.CanSet() {
			v.SetString(text)
			n = 1
		}
	}
	return n
}

type failing interface {
	Helper()
	Errorf(string, ...any)
}

// harmless looks at the characters and the tags of a page.
func harmless(t failing, page string) {
	t.Helper()
	if !utf8.ValidString(page) {
		t.Errorf("the page is not UTF-8")
	}
	for i, r := range page {
		if unicode.Is(unicode.Cf, r) || unicode.IsControl(r) && r != '\n' && r != '\t' || r == '\u2028' || r == '\u2029' {
			t.Errorf("the page holds %U after %.400q", r, page[max(0, i-400):i])
			break
		}
	}
	elements := map[string]bool{}
	for e := range strings.FieldsSeq("!DOCTYPE html head meta title style script body a header p fieldset legend label input span div nav ol ul li main section h1 h2 h3 bdi b i aside details summary table caption colgroup col " +
		"thead tbody tr th td dl dt dd code pre svg path rect circle text tspan g desc figure figcaption strong del ins mark img") {
		elements[e] = true
	}
	attributes := map[string]bool{}
	for a := range strings.FieldsSeq("lang charset http-equiv content name class href aria-label aria-labelledby aria-hidden role tabindex id type checked for hidden placeholder autocomplete spellcheck scope colspan open " +
		"viewBox width height focusable d r x y cx cy dx dy rx points text-anchor stroke-dasharray title dir html src alt") {
		attributes[a] = true
	}
	tag := regexp.MustCompile(`<(/?)([!a-zA-Z0-9]*)([^<>]*)>`)
	attribute := regexp.MustCompile(`\s+([^\s=/"]+)(="[^"]*")?`)
	drawn := regexp.MustCompile(`^="data:image/png;base64,[A-Za-z0-9&#;/=]+"$`)
	counts := map[string]int{}
	bare := regexp.MustCompile(`(?s)(<style>).*?(</style>)|(<script>).*?(</script>)`).ReplaceAllString(page, "$1$2$3$4")
	for _, m := range tag.FindAllStringSubmatch(bare, -1) {
		if !elements[m[2]] {
			t.Errorf("the page holds %.200s", m[0])
			continue
		}
		if m[1] == "" {
			counts[m[2]]++
		}
		rest := m[3]
		for _, a := range attribute.FindAllStringSubmatch(rest, -1) {
			if !attributes[a[1]] || a[1] == "href" && !strings.HasPrefix(a[2], `="#`) || a[1] == "src" && !drawn.MatchString(a[2]) {
				t.Errorf("the page holds an attribute %s in %.200s", a[0], m[0])
			}
		}
		if left := strings.TrimSpace(attribute.ReplaceAllString(rest, "")); left != "" && left != "/" {
			t.Errorf("the tag %.200s holds %.100s in addition to its attributes", m[0], left)
		}
	}
	if rest := tag.ReplaceAllString(bare, ""); strings.ContainsAny(rest, "<") {
		t.Errorf("a < is outside of tags: %.100s", rest[strings.Index(rest, "<"):])
	}
	if counts["script"] > 1 || counts["style"] != 1 || counts["main"] != 1 || counts["h1"] != 1 {
		t.Errorf("the page has %d scripts, %d styles, %d mains, %d first headings", counts["script"], counts["style"], counts["main"], counts["h1"])
	}
}

// anyReport draws a report: of no runs or many, with what is not known left out, with
// hostile names, with lengths that are numbers, bands or words.
func anyReport(t *rapid.T) *report.Report {
	g := &maker{t}
	r := &report.Report{Database: g.name()}
	families := rapid.SliceOfNDistinct(rapid.Custom(func(t *rapid.T) string { return (&maker{t}).name() }), 0, 4, rapid.ID[string]).Draw(t, "families")
	runs, lengths := rapid.SampledFrom([]int{0, 1, 1, 2, 3, 7, 40}).Draw(t, "runs"), []int{0, 1, 2, 8, 60}
	if runs > 3 { // many of one thing at a time are enough
		families, lengths = families[:min(len(families), 1)], lengths[:3]
	}
	for i := range runs {
		b := report.Block{Head: report.Head{N: int64(i % 3), Name: g.name(), Model: g.name()}, Total: g.total()}
		for _, name := range families {
			if g.odds(4) {
				continue
			}
			f := report.Family{Name: name, Total: g.line()}
			for range rapid.SampledFrom(lengths).Draw(t, "lengths") {
				f.Lines = append(f.Lines, g.line())
			}
			b.Families = append(b.Families, f)
		}
		r.Runs = append(r.Runs, b)
	}
	if len(r.Runs) > 1 {
		for i := range min(len(r.Runs)-1, 3) {
			r.Comparisons = append(r.Comparisons, g.comparison(r, i+1))
		}
		if g.odds(2) {
			r.Leaderboard = boardOf(r)
		}
	}
	if len(r.Runs) > 0 && g.odds(2) {
		r.Samples = &report.Samples{Each: 1, Of: 9}
		for range rapid.IntRange(0, 4).Draw(t, "samples") {
			r.Samples.List = append(r.Samples.List, g.sample(len(r.Runs)))
		}
	}
	return r
}

// A maker draws random parts of reports.
type maker struct{ t *rapid.T }

func (g *maker) odds(n int) bool { return rapid.IntRange(1, n).Draw(g.t, "odds") == 1 }

func (g *maker) name() string {
	return rapid.OneOf(rapid.SampledFrom([]string{"", "sort-int", "reverse", hostile, strings.Repeat("long ", 100), strings.Repeat("語", 90)}), rapid.String()).Draw(g.t, "name")
}

func (g *maker) share() float64 { return rapid.Float64Range(0, 1).Draw(g.t, "share") }

func (g *maker) rate() report.Rate {
	if g.odds(5) {
		return report.Rate{}
	}
	v := g.share()
	low, high := v*g.share(), v+(1-v)*g.share()
	r := report.Rate{N: 3, Of: rapid.Int64Range(1, 40).Draw(g.t, "of"), Share: &v, Low: &low, High: &high}
	if g.odds(9) {
		r.Low, r.High = nil, nil
	}
	return r
}

func (g *maker) line() report.Line {
	l := report.Line{Exact: g.rate(), Extracted: g.rate(), Length: g.name()}
	if n := rapid.IntRange(-1, 300).Draw(g.t, "length"); n >= 0 {
		l.Length, l.Lengths = strconv.Itoa(n), &verbatim.Lengths{Min: n, Max: n + rapid.SampledFrom([]int{0, 0, 9}).Draw(g.t, "band")}
	}
	l.Answered = l.Exact.Of
	if g.odds(2) {
		v := rapid.Float64Range(-1.4, 1).Draw(g.t, "score")
		l.Score = report.Mean{Value: &v, N: 3}
	}
	return l
}

// total draws a line with failures.
func (g *maker) total() report.Line {
	l := g.line()
	for range rapid.SampledFrom([]int{0, 1, 3, 12}).Draw(g.t, "labels") {
		l.Failures = append(l.Failures, report.Count{Name: g.name(), N: rapid.Int64Range(0, 1000).Draw(g.t, "n")})
	}
	return l
}

func (g *maker) verdict() verdict.Verdict {
	v := rapid.Float64Range(-1, 1).Draw(g.t, "difference")
	out := verdict.Verdict{
		Word:       rapid.SampledFrom([]verdict.Word{verdict.Better, verdict.Worse, verdict.Equivalent, verdict.Inconclusive, verdict.Withheld, verdict.Pass, ""}).Draw(g.t, "word"),
		Difference: verdict.Difference{Value: v, Range: verdict.Range{Low: v - g.share(), High: v + g.share()}, Worse: g.share(), Equivalent: g.share(), Better: g.share()},
	}
	if g.odds(4) {
		out.Why = []string{g.name(), g.name()}
	}
	return out
}

func (g *maker) comparison(r *report.Report, b int) *verdict.Comparison {
	arm := func(i int) verdict.ComparedRun {
		h := &r.Runs[i].Head
		return verdict.ComparedRun{RunInfo: verdict.RunInfo{Ref: g.name(), N: h.N, Name: h.Name, Model: h.Model}}
	}
	c := &verdict.Comparison{A: arm(0), B: arm(b), Rope: rapid.SampledFrom([]float64{0, 0.02, 0.5}).Draw(g.t, "rope"), Verdict: g.verdict()}
	for range rapid.IntRange(0, 3).Draw(g.t, "rows") {
		c.Families = append(c.Families, verdict.Row{Family: g.name(), Verdict: g.verdict(), Adjusted: g.share()})
		c.Lengths = append(c.Lengths, verdict.Row{Length: g.name(), Family: g.name(), Verdict: g.verdict()})
	}
	for range rapid.IntRange(0, 3).Draw(g.t, "flips") {
		c.Flips.OnlyA++
		c.Flips.List = append(c.Flips.List, verdict.Flip{Item: g.name(), Right: "a", A: verdict.FlipSide{Right: 1, Answers: 1}, B: verdict.FlipSide{Answers: 3, Label: g.name()}})
	}
	return c
}

func (g *maker) sample(runs int) report.Sample {
	want := verbatim.TextAnswer(g.name())
	if g.odds(2) {
		want = verbatim.ListAnswer([]any{g.name(), int64(3), g.name()})
	}
	item := &verbatim.Item{ID: g.name(), Want: want, Facts: map[string]string{verbatim.FactFamily: g.name()}}
	rec := verbatim.Record{Item: item, Outcome: verbatim.Wrong, Trial: rapid.IntRange(0, 2).Draw(g.t, "trial"), Prompt: verbatim.Prompt{{Role: g.name(), Content: []verbatim.Part{{Text: g.name()}}}},
		Grade: &verbatim.Grade{Label: g.name(), Detail: g.name(), Outcome: verbatim.Wrong},
		Reply: &verbatim.Reply{Text: recordview.AnswerText(want) + g.name(), Reasoning: g.name()}}
	return report.Sample{Run: rapid.IntRange(0, runs-1).Draw(g.t, "run"), View: recordview.New(verbatim.Run{N: 1, Name: g.name()}, rec)}
}

// A world describes the runs of a report: their names and their items.
type world struct {
	models   []string
	families []string
	lengths  []string
	each     int // items of every family and length
	reply    string
	label    string
	apart    bool // nothing is compared
}

// items are in planned order.
func (w world) items() []*verbatim.Item {
	var list []*verbatim.Item
	for range w.each {
		for _, family := range w.families {
			for _, length := range w.lengths {
				n := strconv.Itoa(len(list))
				list = append(list, &verbatim.Item{
					ID: family + "/" + length + "/" + n, Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "What is " + n + "?"}}}},
					Want: verbatim.TextAnswer("want " + n), Grader: "text",
					Facts: map[string]string{verbatim.FactFamily: family, verbatim.FactLength: length, verbatim.FactEdition: string(verbatim.Standard)},
				})
			}
		}
	}
	return list
}

// record is the answer of a model to an item: the first model is right of six items
// five times, the next one four times and so on; one answer in twenty is missing in
// the last one.
func (w world) record(model, seq int, item *verbatim.Item) verbatim.Record {
	prompt, completion := int64(20+seq%7), int64(5+model)
	first, cost := time.Duration(10*(model+1)+seq%5)*time.Millisecond, verbatim.Money(1_000_000_000*(model+1))
	rec := verbatim.Record{Seq: int64(seq), Item: item, Prompt: item.Prompt, Outcome: verbatim.Pass}
	if model > 0 && model == len(w.models)-1 && seq%20 == 3 {
		rec.Outcome = verbatim.Errored
		rec.Failure = &verbatim.Failure{Class: verbatim.Overload, Status: 503, Err: fmt.Errorf("busy")}
		return rec
	}
	g := &verbatim.Grade{Outcome: verbatim.Pass, Label: "pass", Exact: true, Extracted: true, Grader: "text/1"}
	one, reply := 1.0, item.Want.Text
	if (seq*7+model)%6 <= model%6 {
		one, reply = 0, w.reply
		*g = verbatim.Grade{Outcome: verbatim.Wrong, Label: w.label, Grader: "text/1"}
		if seq%3 == 0 {
			*g = verbatim.Grade{Outcome: verbatim.Wrapped, Label: "quoted", Extracted: true, Grader: "text/1"}
		}
	}
	g.Score = &one
	rec.Outcome, rec.Grade = g.Outcome, g
	rec.Reply = &verbatim.Reply{
		Text: reply, Finish: verbatim.FinishStop, Usage: verbatim.Usage{Prompt: &prompt, Completion: &completion}, ServedModel: w.models[model] + "-served", Cost: &cost,
		Times: verbatim.Times{Start: time.Date(2026, 3, 1, 12, 0, seq, 0, time.UTC), FirstContent: &first, Total: 3 * first},
	}
	return rec
}

// report computes the report, with comparisons and a leaderboard.
func (w world) report(t testing.TB) *report.Report {
	t.Helper()
	r, err := w.compute()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func (w world) compute() (*report.Report, error) {
	items := w.items()
	plan := verbatim.Plan{Hash: "0123456789abcdef0123456789abcdef", Suite: "custom", Seed: 1, Edition: verbatim.Standard, Trials: 1, Count: int64(len(items))}
	for _, f := range w.families {
		for _, l := range w.lengths {
			if n, err := strconv.Atoi(l); err == nil {
				plan.Cells = append(plan.Cells, verbatim.Cell{Family: f, Version: 1, Length: verbatim.Lengths{Min: n, Max: n}, N: w.each})
			}
		}
	}
	var in []report.Input
	var sides []verdict.Side
	for i, model := range w.models {
		run := verbatim.Run{N: int64(i + 1), Name: model + "-1", Plan: plan, Model: model, Tool: "v1.2.3",
			Started: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC), Ended: time.Date(2026, 3, 1, 12, 5, 0, 0, time.UTC)}
		var records iter.Seq2[verbatim.Record, error] = func(yield func(verbatim.Record, error) bool) {
			for seq, item := range items {
				if !yield(w.record(i, seq, item), nil) {
					return
				}
			}
		}
		in = append(in, report.Input{Run: run, Records: records, Record: func(seq int64) (verbatim.Record, error) { return w.record(i, int(seq), items[seq]), nil }})
		sides = append(sides, verdict.Side{Run: run, Ref: strconv.Itoa(i + 1), Records: records})
	}
	r, err := report.Of(report.Options{Samples: 1}, in...)
	if err != nil {
		return nil, err
	}
	o := verdict.Defaults("", report.MetricScore.Score)
	for i := range sides[1:] {
		if w.apart {
			break
		}
		c, err := verdict.Compare(sides[0], sides[i+1], o)
		if err != nil {
			return nil, err
		}
		r.Comparisons = append(r.Comparisons, c)
	}
	r.Leaderboard = ranked(r)
	r.Tool, r.Command = "v1.2.3", "verbatim report 1 2 --format html -o report.html"
	return r, nil
}

// ranked is a made-up leaderboard in the order of the runs: no test here is about the
// computation of ranks.
func ranked(r *report.Report) *verdict.Leaderboard {
	if len(r.Comparisons) == 0 {
		return nil
	}
	b := &verdict.Leaderboard{Confidence: 0.95, Paired: true, Items: r.Comparisons[0].Items, LeftOut: 2, Notes: []verdict.Note{{Kind: "note", Text: "A note on the ranks."}}}
	arms := []*verdict.ComparedRun{&r.Comparisons[0].A}
	for _, c := range r.Comparisons {
		arms = append(arms, &c.B)
	}
	for i, a := range arms {
		p := verdict.RankPlace{RunInfo: a.RunInfo, Items: 1, Mean: a.Mean, Range: verdict.Range{Low: max(0, a.Mean-0.05), High: min(1, a.Mean+0.05)}, Rank: i + 1, RankLow: i + 1, RankHigh: min(i+2, len(arms))}
		p.RankProbabilities = make([]float64, len(arms))
		p.RankProbabilities[i] = 1
		if i > 0 {
			p.Indistinguishable = []int{i - 1}
		}
		b.Places = append(b.Places, p)
	}
	return b
}

// small is the report of the golden file. It is computed once, and not to be changed.
var small = sync.OnceValue(func() *report.Report {
	w := world{models: []string{"alpha", "beta"}, families: []string{"reverse", "copy"}, lengths: []string{"8", "32"}, each: 20, reply: "wnat", label: "transposed"}
	r, err := w.compute()
	if err != nil {
		panic(err)
	}
	return r
})

func rendered(t testing.TB, r *report.Report) string {
	t.Helper()
	var b bytes.Buffer
	if err := Report(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
