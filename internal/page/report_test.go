package page

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/verdict"
)

// TestReportOfNothing wants an error and no page.
func TestReportOfNothing(t *testing.T) {
	var b bytes.Buffer
	if err := Report(&b, new(report.Report)); err == nil || !strings.Contains(err.Error(), "no run") {
		t.Errorf("a report without runs: %v", err)
	}
	if b.Len() > 0 {
		t.Errorf("%d bytes were written of a report without runs", b.Len())
	}
}

// TestGoldenPage compares the page of a small report, without its style sheet and
// script, with the golden file.
func TestGoldenPage(t *testing.T) { golden(t, "page.html", bareOf(rendered(t, small()))) }

// bareOf is a page without its style sheet, its script and their hashes, which change
// more often than what it says.
func bareOf(page string) string {
	page = regexp.MustCompile(`(?s)<style>.*</style>`).ReplaceAllString(page, "<style></style>")
	page = regexp.MustCompile(`(?s)<script>.*</script>`).ReplaceAllString(page, "<script></script>")
	return regexp.MustCompile(`sha256-[A-Za-z0-9+/=]+`).ReplaceAllString(page, "sha256-")
}

// TestPolicy wants a policy that allows nothing but the page's own style and script,
// by hashes that are right.
func TestPolicy(t *testing.T) {
	page := rendered(t, small())
	policy := regexp.MustCompile(`<meta http-equiv="Content-Security-Policy" content="([^"]*)">`).FindStringSubmatch(page)
	if policy == nil {
		t.Fatal("the page has no policy")
	}
	if strings.Index(page, "Content-Security-Policy") > strings.Index(page, "<style>") {
		t.Error("the policy is after the style that it must allow")
	}
	for _, tag := range []string{"style", "script"} {
		inside := regexp.MustCompile(`(?s)<` + tag + `>(.*)</` + tag + `>`).FindStringSubmatch(page)
		if inside == nil {
			t.Fatalf("the page has no %s", tag)
		}
		sum := sha256.Sum256([]byte(inside[1]))
		if want := tag + "-src 'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "';"; !strings.Contains(policy[1], want) {
			t.Errorf("the policy %q lacks %q", policy[1], want)
		}
	}
	for _, want := range []string{"default-src 'none'", "img-src data:;", "base-uri 'none'", "form-action 'none'"} {
		if !strings.Contains(policy[1], want) {
			t.Errorf("the policy %q lacks %q", policy[1], want)
		}
	}
}

// TestNothingElseIsNeeded wants no address in the page but those of its own parts,
// each of which is there.
func TestNothingElseIsNeeded(t *testing.T) {
	page := rendered(t, small())
	ids := map[string]bool{}
	for _, m := range regexp.MustCompile(` id="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		if ids[m[1]] {
			t.Errorf("two things have the id %q", m[1])
		}
		ids[m[1]] = true
	}
	links := regexp.MustCompile(`\s(href|src|action|data|poster|srcset|xlink:href)="([^"]*)"`).FindAllStringSubmatch(page, -1)
	for _, m := range links {
		if m[1] != "href" || !strings.HasPrefix(m[2], "#") || !ids[m[2][1:]] {
			t.Errorf("the page needs %s", m[0])
		}
	}
	for _, m := range regexp.MustCompile(`\s(?:aria-labelledby|aria-describedby|for)="([^"]*)"`).FindAllStringSubmatch(page, -1) {
		for id := range strings.FieldsSeq(m[1]) {
			if !ids[id] {
				t.Errorf("%s names nothing", m[0])
			}
		}
	}
	if len(links) < 10 || len(ids) < 10 {
		t.Errorf("only %d links and %d ids were found", len(links), len(ids))
	}
	if sheet := pageStyle + chartStyle; strings.Contains(sheet, "url(") || strings.Contains(sheet, "@import") {
		t.Error("the style sheet names another file")
	}
}

// TestFiguresOfTheReport looks up figures of the report in the page's text.
func TestFiguresOfTheReport(t *testing.T) {
	r := small()
	page := text(rendered(t, r))
	found := 0
	for i := range r.Runs {
		b := &r.Runs[i]
		for j := range b.Families {
			for k := range b.Families[j].Lines {
				e := b.Families[j].Lines[k].Exact
				if want := number.Percent(e.Share) + " " + number.PercentRange(e.Low, e.High, 1); !strings.Contains(page, want) {
					t.Errorf("%s %s: the page lacks %q", b.Families[j].Name, b.Families[j].Lines[k].Length, want)
				}
				found++
			}
		}
	}
	for _, c := range r.Comparisons {
		for _, want := range []string{layout.Sentence(c), number.Signed(c.Difference.Value, 3) + " (" + number.SignedRange(c.Difference.Low, c.Difference.High, 3) + ")"} {
			if !strings.Contains(page, want) {
				t.Errorf("the page lacks %q", want)
			}
			found++
		}
	}
	if found < 10 {
		t.Errorf("only %d figures were looked up", found)
	}
	for _, want := range []string{r.Command, r.Tool, r.Runs[0].Head.Plan, "alpha-served", "overload", "transposed", "quoted"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page lacks %q", want)
		}
	}
}

// text is what a page says, without its tags.
func text(page string) string {
	page = regexp.MustCompile(`(?s)<(style|script)>.*?</(style|script)>`).ReplaceAllString(page, "")
	page = html.UnescapeString(regexp.MustCompile(`<[^>]*>`).ReplaceAllString(page, " "))
	return strings.Join(strings.Fields(page), " ")
}

// TestSize wants pages that grow with runs, families and lengths, and not with the
// records.
func TestSize(t *testing.T) {
	few := len(rendered(t, published(2).report(t)))
	if few > 2<<20 {
		t.Errorf("the page of 7 runs with 18 tasks at 8 lengths has %d bytes", few)
	}
	many := len(rendered(t, published(6).report(t)))
	if many > few+few/4 || many > 2<<20 {
		t.Errorf("of three times the records the page has %d bytes instead of %d", many, few)
	}
}

// published is as many runs, tasks and lengths as the SortBench paper has.
func published(each int) world {
	w := world{apart: true, reply: "wnat", label: "transposed", each: each}
	for i := range 7 {
		w.models = append(w.models, "model-"+strconv.Itoa(i))
	}
	for i := range 18 {
		w.families = append(w.families, "family-"+strconv.Itoa(i))
	}
	for n := 2; n <= 256; n *= 2 {
		w.lengths = append(w.lengths, strconv.Itoa(n))
	}
	return w
}

// TestManyRunsAndLengths wants a page of forty runs and of sixty lengths.
func TestManyRunsAndLengths(t *testing.T) {
	w := world{families: []string{"copy"}, each: 1, apart: true, reply: "x", label: "unrelated"}
	for i := range 40 {
		w.models = append(w.models, "model-"+strconv.Itoa(i))
	}
	for n := range 60 {
		w.lengths = append(w.lengths, strconv.Itoa(n+1))
	}
	r := w.report(t)
	r.Leaderboard = &verdict.Leaderboard{Confidence: 0.95}
	for i := range r.Runs {
		p := verdict.RankPlace{RunInfo: head(r, i), Rank: 1, RankLow: 1, RankHigh: 40, RankProbabilities: slices.Repeat([]float64{1. / 40}, 40)}
		for j := range r.Runs {
			if j != i {
				p.Indistinguishable = append(p.Indistinguishable, j)
			}
		}
		r.Leaderboard.Places = append(r.Leaderboard.Places, p)
	}
	page := rendered(t, r)
	for _, m := range w.models {
		if !strings.Contains(page, ">"+m+"<") {
			t.Errorf("the page lacks %s", m)
		}
	}
	// No sentence lists so many names; the tables do.
	for _, sentence := range regexp.MustCompile(`(?s)<(p|li)\b.*?</(p|li)>`).FindAllString(page, -1) {
		if n := strings.Count(sentence, "model-"); n > 6 {
			t.Errorf("%d names in one sentence: %.300s", n, text(sentence))
		}
	}
	if !strings.Contains(text(page), " and 36 more are indistinguishable: each may be first.") {
		t.Errorf("the page does not lead with the number of runs: %.300s", text(page))
	}
}

// BenchmarkReport writes the page of 7 runs of 1,440 items, without comparisons.
func BenchmarkReport(b *testing.B) {
	r := published(10).report(b)
	for b.Loop() {
		var w bytes.Buffer
		if err := Report(&w, r); err != nil {
			b.Fatal(err)
		}
		b.SetBytes(int64(w.Len()))
	}
}

// three is a report of three runs by hand.
func three() *report.Report {
	r := new(report.Report)
	for i, model := range []string{"alpha", "beta", "gamma"} {
		r.Runs = append(r.Runs, report.Block{Head: report.Head{N: int64(i + 1), Name: model + "-1", Model: model, Seed: 7, Plan: "abc", Suite: "quick"}})
	}
	return r
}

func head(r *report.Report, run int) verdict.RunInfo {
	h := &r.Runs[run].Head
	return verdict.RunInfo{N: h.N, Name: h.Name, Model: h.Model}
}

// TestOrder wants runs by rank, and those without one behind.
func TestOrder(t *testing.T) {
	r := three()
	r.Leaderboard = &verdict.Leaderboard{Places: []verdict.RankPlace{{RunInfo: head(r, 2), Rank: 1, RankLow: 1, RankHigh: 2}, {RunInfo: head(r, 0), Rank: 2, RankLow: 2, RankHigh: 2}}}
	want := []string{"gamma 1–2", "alpha 2", "beta –"}
	var got []string
	for _, row := range headlineTable(report.HeadlineOf(r), runs(r)).Rows {
		got = append(got, string(row.Run.Name)+" "+row.Cells[0].Text)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the order is %v, not %v", got, want)
	}
	for _, c := range []struct {
		second int // best rank of the second place
		want   string
	}{{2, "gamma is first"}, {1, "gamma, alpha are indistinguishable"}} {
		r.Leaderboard.Places[1].RankLow = c.second
		l := lead(r, report.HeadlineOf(r), runs(r))[0]
		var names []string
		for _, n := range l.Names {
			names = append(names, string(n))
		}
		if got := strings.Join(names, ", ") + " " + l.Text; !strings.HasPrefix(got, c.want) {
			t.Errorf("it leads with %q, not with %q", got, c.want)
		}
	}
}

// TestDifferencesFromBaseline wants the differences of a comparison in the cells of their task and length.
func TestDifferencesFromBaseline(t *testing.T) {
	r := three()
	for i := range r.Runs {
		lines := []report.Line{{Length: "8", Lengths: &verbatim.Lengths{Min: 8, Max: 8}}, {Length: "32", Lengths: &verbatim.Lengths{Min: 32, Max: 32}}}
		r.Runs[i].Families = []report.Family{{Name: "copy", Lines: lines}, {Name: "reverse", Lines: lines}}
	}
	c := &verdict.Comparison{A: verdict.ComparedRun{RunInfo: head(r, 0)}, B: verdict.ComparedRun{RunInfo: head(r, 2)}, Verdict: verdict.Verdict{Word: verdict.Better},
		Cells:    []verdict.Cell{{Family: "reverse", Length: "32", Value: -0.25, OnlyA: 6, OnlyB: 1, P: 0.0703125}},
		Families: []verdict.Row{{Family: "reverse", Verdict: verdict.Verdict{Word: verdict.Worse, Difference: verdict.Difference{Value: -0.2, Range: verdict.Range{Low: -0.3, High: -0.1}}}}},
		Lengths:  []verdict.Row{{Length: "32", Verdict: verdict.Verdict{Word: verdict.Equivalent}}},
	}
	r.Comparisons = []*verdict.Comparison{c}
	views := familyViews(r, newBaselineIndex(r))
	lines := views[1].Lines
	if got := lines[1].Cells[2]; got.Difference != "-0.250" || got.Alone != "1" || got.Other != "6" || got.P != "0.070" || got.Word != "" {
		t.Errorf("gamma at reverse 32 is %+v", got)
	}
	if got := lines[1].Cells[0]; !got.Baseline || got.Difference != "" {
		t.Errorf("the baseline at reverse 32 is %+v", got)
	}
	if got := lines[0].Cells[2]; got.Difference != "" {
		t.Errorf("gamma at reverse 8, where it has no answers, is %+v", got)
	}
	if got := lines[2].Cells[2]; !lines[2].Total || got.Word != verdict.Worse || got.Interval != "-0.300 to -0.100" {
		t.Errorf("gamma at reverse as a whole is %+v", got)
	}
	if got := lines[1].Cells[1]; got.Difference != "" || got.Baseline {
		t.Errorf("beta, which is not compared, is %+v", got)
	}
	c.Families = nil
	// With one task, a row of a length is about just that place.
	for i := range r.Runs {
		r.Runs[i].Families = r.Runs[i].Families[1:]
	}
	if got := familyViews(r, newBaselineIndex(r))[0].Lines; got[1].Cells[2].Word != verdict.Equivalent || got[2].Cells[2].Word != verdict.Better {
		t.Errorf("of one task, gamma has the words %q and %q", got[1].Cells[2].Word, got[2].Cells[2].Word)
	}
}

// TestSums wants the total of a task next to its name where there is one run, and its one
// length where it has no other.
func TestSums(t *testing.T) {
	r, half, all := three(), 0.5, 1.0
	line := func(length int, share *float64) report.Line {
		return report.Line{Length: strconv.Itoa(length), Lengths: &verbatim.Lengths{Min: length, Max: length}, Exact: report.Rate{N: 1, Of: 2, Share: share}}
	}
	for i := range r.Runs {
		r.Runs[i].Families = []report.Family{
			{Name: "copy", Lines: []report.Line{line(8, &all), line(16, &half)}, Total: line(0, &half)},
			{Name: "reverse", Lines: []report.Line{line(8, &all)}, Total: line(0, &all)},
		}
	}
	for _, v := range familyViews(r, newBaselineIndex(r)) {
		if v.Sum != nil {
			t.Errorf("of three runs %s has the sum %+v", v.Name, v.Sum)
		}
	}
	r.Runs = r.Runs[:1]
	views := familyViews(r, newBaselineIndex(r))
	for i, want := range []string{"50.0", "100.0"} {
		if got := views[i].Sum; got == nil || got.Share != want {
			t.Errorf("%s has the sum %+v, want %s", views[i].Name, got, want)
		}
	}
}

// TestWarned wants a warning of several runs once, those about all runs first, and
// not more than a few unfolded.
func TestWarned(t *testing.T) {
	r := three()
	if v := newWarnings(r, runs(r)); v != nil {
		t.Errorf("without warnings there are %v", v)
	}
	r.Warnings = []report.Warning{{Text: "of all"}}
	for i := range r.Runs {
		r.Runs[i].Warnings = []report.Warning{{Text: "the same"}, {Text: "own " + r.Runs[i].Head.Model}}
		if i > 0 {
			r.Runs[i].Warnings = append(r.Runs[i].Warnings, report.Warning{Text: "of two"})
		}
	}
	r.Runs[1].Head.Note = "simulated"
	v := newWarnings(r, runs(r))
	if v.First[0].Text != "of all" || v.First[0].Runs != nil || v.First[1].Text != "the same" || v.First[1].Runs != nil {
		t.Errorf("the first warnings are %v", v.First)
	}
	for _, w := range append(v.First, v.More...) {
		if w.Text == "of two" && len(w.Runs) != 2 {
			t.Errorf("the warning of two runs is %v", w)
		}
	}
	if len(v.First) != openWarnings || len(v.First)+len(v.More) != 7 {
		t.Errorf("%d and %d warnings", len(v.First), len(v.More))
	}
}

// TestProvenance wants facts that all runs share once, and facts that are unknown of
// all runs not at all.
func TestProvenance(t *testing.T) {
	r := three()
	r.Runs[2].Head.Seed = 8
	v := newProvenance(r, runs(r))
	var same, differ []string
	for _, f := range v.Same {
		same = append(same, f.Name)
	}
	for _, row := range v.Differ.Rows {
		differ = append(differ, string(row.Head))
	}
	if !slices.Contains(same, "plan hash") || slices.Contains(same, "seed") || slices.Contains(same, "started") {
		t.Errorf("the same for all runs: %v", same)
	}
	if !slices.Contains(differ, "seed") || !slices.Contains(differ, "run") || slices.Contains(differ, "started") {
		t.Errorf("not the same for all runs: %v", differ)
	}
}

// TestBounded cuts between characters, and says that it did.
func TestBounded(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"", ""}, {"abc", "abc"}, {"abcd", "abc…"}, {"äöüß", "äöü…"}, {"a\x00\x1bz", "a␀␛…"}, {"\xff\xfe\xfd\xfc", "⟨FF⟩⟨FE⟩⟨FD⟩…"},
	} {
		if got := bounded(c.text, 3); got != c.want {
			t.Errorf("%q becomes %q, not %q", c.text, got, c.want)
		}
	}
}

// TestAskedLengths wants the shortest and the longest length of all tasks, whatever the length
// of their labels.
func TestAskedLengths(t *testing.T) {
	r := three()
	at := func(low, high int) report.Line {
		l := verbatim.Lengths{Min: low, Max: high}
		return report.Line{Length: l.String(), Lengths: &l}
	}
	r.Runs[0].Families = []report.Family{{Name: "copy", Lines: []report.Line{at(2, 4), at(5, 8)}}, {Name: "sort", Lines: []report.Line{at(10, 10), at(100, 100)}}, {Name: "mine", Lines: []report.Line{{}}}}
	if got, want := fmt.Sprint(asked(r)), "lengths "+at(2, 4).Length+" to 100"; !strings.Contains(got, want) {
		t.Errorf("the plan is %s, without %q", got, want)
	}
}

// TestRepeatedWarningOfOneRun wants a warning that one of two runs has twice to be about this
// run, and not about both.
func TestRepeatedWarningOfOneRun(t *testing.T) {
	r := three()
	r.Runs = r.Runs[:2]
	r.Runs[0].Warnings = []report.Warning{{Text: "too few items"}, {Text: "too few items"}}
	got := newWarnings(r, runs(r)).First
	if len(got) != 1 || len(got[0].Runs) != 1 || got[0].Runs[0] != "alpha" {
		t.Errorf("the warnings are %+v", got)
	}
}

// foundIn returns the record of a reply with an answer at these bytes, found by a rule.
func foundIn(text string, start, end int, rule string) *recordview.View {
	return recordview.New(verbatim.Run{N: 1, Name: "r", Model: "m"}, verbatim.Record{
		Item: &verbatim.Item{ID: "copy@1/len=3/seed=1/0", Want: verbatim.TextAnswer("K7m")}, Outcome: verbatim.Wrapped,
		Reply: &verbatim.Reply{Text: text}, Grade: &verbatim.Grade{Label: "explained", Rule: rule, Span: &verbatim.Span{Start: start, End: end}},
	})
}

// recordOf returns the page of a record.
func recordOf(t *testing.T, v *recordview.View) string {
	t.Helper()
	var page strings.Builder
	if err := Record(&page, v, ""); err != nil {
		t.Fatal(err)
	}
	harmless(t, page.String())
	return page.String()
}

// TestAnswerIsMarked wants the answer marked on the page of a record and in the samples of a
// report, with the rule that found it.
func TestAnswerIsMarked(t *testing.T) {
	text := "So: <b>K7m</b> & more"
	record := func() *recordview.View { return foundIn(text, 4, 14, `in bold <&>`) }
	r := *small()
	r.Samples = &report.Samples{Each: 1, Of: 1, List: []report.Sample{{View: record()}}}
	for name, page := range map[string]string{"record": recordOf(t, record()), "report": rendered(t, &r)} {
		for _, want := range []string{
			"So: <mark class=\"vb-answer\">&lt;b&gt;K7m&lt;/b&gt;</mark> &amp; more</pre>",
			`<p class="vb-note vb-rule">marked answer found by: in bold &lt;&amp;&gt;</p>`,
		} {
			if !strings.Contains(page, want) {
				t.Errorf("the page of the %s has no %s", name, want)
			}
		}
	}
}

// TestMarksOfHostileReplies cuts an attack at every byte.
func TestMarksOfHostileReplies(t *testing.T) {
	tmpl := parsed(t)
	for start := range len(attack) {
		item := newSampleItem(&report.Sample{View: foundIn(attack, start, start+7, attack)}, "", recordSide)
		var b strings.Builder
		if err := tmpl.ExecuteTemplate(&b, "sampleItem", item); err != nil {
			t.Fatal(err)
		}
		if err := sound(b.String()); err != nil {
			t.Fatalf("at byte %d: %v", start, err)
		}
		if strings.Count(b.String(), `<mark class="vb-answer">`) != 1 {
			t.Fatalf("at byte %d: no mark, or more than one", start)
		}
	}
	harmless(t, recordOf(t, foundIn(attack, 3, 20, attack)))
}

// TestAnswerBeyondTheSample: a sample is the beginning of a long reply, and its answer is
// after that.
func TestAnswerBeyondTheSample(t *testing.T) {
	text := strings.Repeat("talk ", 1000) + "K7m."
	v := foundIn(text, 5000, 5003, "last line")
	s := report.Sample{View: v}
	s.Cut = v.Truncate()
	got := newSampleItem(&s, "", recordSide)
	if got.Reply.Answer != "" || got.Reply.Rule != "answer found by: last line; it is after the part that is shown" {
		t.Errorf("the sample has %q, %q", got.Reply.Answer, got.Reply.Rule)
	}
	if whole := newSampleItem(&report.Sample{View: foundIn("K7x", 0, 3, "whole reply")}, "", recordSide); whole.Reply.Answer != "" || whole.Reply.Rule != "answer found by: whole reply" {
		t.Errorf("the whole reply has %q, %q", whole.Reply.Answer, whole.Reply.Rule)
	}
}
