package layout

import (
	"bytes"
	"fmt"
	"iter"
	"slices"
	"strings"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/terminal/terminaltest"
)

// drifting streams the records of a run as if they were sent over several days, from
// the third day on to another model, which reasons.
func drifting(s recordtest.Run, days int64) iter.Seq2[verbatim.Record, error] {
	return func(yield func(verbatim.Record, error) bool) {
		var n int64
		for r, err := range s.Records() {
			at := time.Date(2026, 3, 14, 23, 0, 0, 0, time.UTC).Add(time.Duration(n%days)*24*time.Hour + time.Duration(n)*time.Second)
			switch n++; {
			case r.Reply == nil:
				r.Failure.Attempts = []verbatim.Attempt{{N: 1, Start: at, Class: r.Failure.Class}}
			default:
				tokens := 3000 + 17*n%4000
				r.Reply.Times.Start = at
				if n%days > 1 {
					r.Reply.ServedModel = "gpt-4o-mini-2026-03-01"
					r.Reply.Usage.Reasoning, r.Reply.Usage.Completion = &tokens, &tokens
				}
			}
			if !yield(r, err) {
				return
			}
		}
	}
}

func driftingRun() report.Input {
	s := recordtest.Quick()
	s.Families, s.N = s.Families[:3], 30
	in := input(s, 3)
	in.Records = drifting(s, 5)
	return in
}

func TestGoldenDays(t *testing.T) {
	r := must(report.Of(report.Options{}, driftingRun()))(t)
	for _, c := range []struct {
		file  string
		write func(*bytes.Buffer) error
	}{
		{"days-80.txt", func(b *bytes.Buffer) error { return writeReport("text")(b, r, terminal.Style{}) }},
		{"days-120.txt", func(b *bytes.Buffer) error { return writeReport("text")(b, r, terminal.Style{Width: 120}) }},
		{"days.md", func(b *bytes.Buffer) error { return writeReport("md")(b, r, terminal.Style{}) }},
		{"days.csv", func(b *bytes.Buffer) error { return writeReport("csv")(b, r, terminal.Style{}) }},
		{"days.json", func(b *bytes.Buffer) error { return writeReport("json")(b, r, terminal.Style{}) }},
	} {
		var out bytes.Buffer
		if err := c.write(&out); err != nil {
			t.Fatal(err)
		}
		terminaltest.Golden(t, *update, c.file, out.Bytes())
	}
	for width := 40; width <= 220; width += 9 {
		var out strings.Builder
		table.WriteText(&out, []table.Block{dayTable(&r.Runs[0])}, terminal.Style{Width: width})
		fits(t, "days", out.String(), width)
	}
}

// fits fails where a line is wider than the terminal.
func fits(t *testing.T, what, text string, width int) {
	t.Helper()
	for line := range strings.SplitSeq(text, "\n") {
		if terminal.Width(line) > width {
			t.Errorf("%s at %d columns has a line of %d: %q", what, width, terminal.Width(line), line)
		}
	}
}

// A day is a day of UTC, whatever the zone of the clock; without a reply it is the day
// of the first attempt.
func TestDays(t *testing.T) {
	east := time.FixedZone("east", 9*3600)
	at := func(o verbatim.Outcome, start time.Time) verbatim.Record {
		r := recordtest.Record("copy", "8", o, "case")
		if r.Reply != nil {
			r.Reply.Times.Start = start
		} else if !start.IsZero() {
			r.Failure = &verbatim.Failure{Attempts: []verbatim.Attempt{{N: 1, Start: start}, {N: 2, Start: start.Add(48 * time.Hour)}}}
		}
		return r
	}
	midnight := time.Date(2026, 1, 2, 0, 0, 0, 0, time.UTC)
	recs := []verbatim.Record{
		at(verbatim.Pass, midnight.Add(-time.Nanosecond)), at(verbatim.Pass, midnight.In(east)), at(verbatim.Errored, midnight.Add(time.Hour)),
		at(verbatim.Wrong, midnight.Add(24*time.Hour-1)), at(verbatim.Wrong, time.Time{}), at(verbatim.Errored, time.Time{}),
		at(verbatim.Pass, time.Date(1969, 12, 31, 23, 59, 59, 0, time.UTC)),
	}
	b := of(t, report.Input{Records: recordtest.Each(recs...)})
	var got []string
	for _, d := range b.Days {
		got = append(got, fmt.Sprintf("%s %d %d", d.Day, d.Line.Recorded, d.Line.Answered))
	}
	if want := "1969-12-31 1 1, 2026-01-01 1 1, 2026-01-02 3 2"; strings.Join(got, ", ") != want {
		t.Errorf("days %s, want %s", strings.Join(got, ", "), want)
	}
	if b := of(t, report.Input{Records: recordtest.Each(recs[1:4]...)}); len(b.Days) != 0 {
		t.Errorf("one day is listed: %v", b.Days)
	}
}

// TestOlderDays shows the newest days and says how many are left out.
func TestOlderDays(t *testing.T) {
	b := &report.Block{}
	for i := range maxDaysShown + 2 {
		b.Days = append(b.Days, report.Day{Day: time.Unix(int64(i)*24*60*60, 0).UTC().Format(time.DateOnly)})
	}
	var out strings.Builder
	table.WriteText(&out, []table.Block{dayTable(b)}, terminal.Style{Width: 70})
	text := out.String()
	if strings.Contains(text, "1970-01-02") || !strings.Contains(text, "1970-01-03") || !strings.Contains(text, "The first 2 days are left out") {
		t.Errorf("the table of days:\n%s", text)
	}
}

func TestReasoning(t *testing.T) {
	var recs []verbatim.Record
	add := func(o verbatim.Outcome, tokens ...int64) {
		for _, n := range tokens {
			r := recordtest.Record("copy", "8", o, "case")
			if r.Reply == nil {
				r.Reply = &verbatim.Reply{} // a reply that was cut may have counts
			}
			r.Reply.Usage.Reasoning = &n
			recs = append(recs, r)
		}
	}
	add(verbatim.Pass, 0, 0, 0, 100, 200)
	add(verbatim.Truncated, 1000, 1000, 1000)
	add(verbatim.CutOff, 5)
	recs = append(recs, recordtest.Record("copy", "8", verbatim.Wrong, "case"))
	b := of(t, report.Input{Records: recordtest.Each(recs...)})
	if len(b.Reasoning) != 2 {
		t.Fatalf("%+v", b.Reasoning)
	}
	pass, limit := b.Reasoning[0], b.Reasoning[1]
	if pass.Outcome != verbatim.Pass || pass.N != 5 || pass.Total != 300 || *pass.Median != 0 || *pass.P95 != 200 {
		t.Errorf("%+v: median %v, 95 %% %v", pass, *pass.Median, *pass.P95)
	}
	if limit.Outcome != verbatim.Truncated || limit.N != 3 || limit.Total != 3000 || *limit.Median != 1000 {
		t.Errorf("%+v", limit)
	}
	recs = nil
	add(verbatim.Pass, 0, 0)
	if b := of(t, report.Input{Records: recordtest.Each(recs...)}); b.Reasoning != nil {
		t.Errorf("reasoning of a model without any: %+v", b.Reasoning)
	}
}

func TestContexts(t *testing.T) {
	var recs []verbatim.Record
	for _, c := range [][2]int64{{4000, 96}, {4000, 97}, {8192, 0}, {8192, 1}, {1 << 62, 1 << 62}, {0, 1 << 62}} {
		r := recordtest.Record("copy", "8", verbatim.Pass, "pass")
		r.Reply.Usage.Prompt, r.Reply.Usage.Completion = &c[0], &c[1]
		recs = append(recs, r)
	}
	half := recordtest.Record("copy", "8", verbatim.Pass, "pass")
	half.Reply.Usage.Prompt = new(int64)
	b := of(t, report.Input{Records: recordtest.Each(append(recs, half)...)})
	if got := fmt.Sprint(b.Contexts); got != "[{4096 1 6} {8192 3 6}]" {
		t.Errorf("contexts %s", got)
	}
	if b.NeededContext != 1<<62 { // two numbers whose sum is no number are left out
		t.Errorf("the longest needs %d tokens", b.NeededContext)
	}
	run := verbatim.Run{Load: &verbatim.Load{Peak: 1, Context: 2048}}
	b = of(t, report.Input{Run: run, Records: recordtest.Each(append(recs[:2:2], half)...)})
	want := "4,097 tokens for the longest prompt with its answer, of 2 answers of known size | 1 of 2 fit a context of 4,096 tokens | the model's context holds 2,048 tokens"
	if got := strings.Join(contexts(b), " | "); got != want {
		t.Errorf("the context is described as %q, want %q", got, want)
	}
	if !slices.ContainsFunc(b.Warnings, func(w report.Warning) bool {
		return w.Kind == "context" && strings.Contains(w.Text, "4097 tokens, but the model's context holds 2048")
	}) {
		t.Errorf("no warning of a context that is smaller: %+v", b.Warnings)
	}
	run.Load.Context = 4097
	b = of(t, report.Input{Run: run, Records: recordtest.Each(recs[:2]...)})
	if slices.ContainsFunc(b.Warnings, func(w report.Warning) bool { return w.Kind == "context" }) {
		t.Errorf("a context that is large enough is warned of: %+v", b.Warnings)
	}
	if b := of(t, report.Input{Records: recordtest.Each(half)}); b.Contexts != nil {
		t.Errorf("contexts of nothing: %v", b.Contexts)
	}
}

// TestModelScore: twice as long weighs twice as much; a line that is a band, or has no
// score, leaves none.
func TestModelScore(t *testing.T) {
	right, wrong := verbatim.Pass, verbatim.Wrong
	of3 := []verbatim.Record{recordtest.Record("copy", "2", right, "pass"), recordtest.Record("copy", "4", right, "pass"), recordtest.Record("copy", "4", wrong, "case"), recordtest.Record("copy", "6", wrong, "case")}
	b := of(t, report.Input{Records: recordtest.Each(append(of3, recordtest.Record("add", "9", right, "pass"))...)})
	// (2·1 + 4·0.5 + 6·0) / 12, and 1.
	if got := *b.Families[0].ModelScore; got != 4.0/12 {
		t.Errorf("model score %v", got)
	}
	if got := *b.ModelScore; got != (4.0/12+1)/2 {
		t.Errorf("mean model score %v", got)
	}
	// Of the same lengths, over all: (2·0.5 + 4·0.75) / 6, where the undefined one is left out.
	undefined := recordtest.Record("add", "2", right, "pass")
	undefined.Grade.Score = nil
	both := []verbatim.Record{recordtest.Record("copy", "2", wrong, "case"), recordtest.Record("copy", "2", right, "pass"), undefined,
		recordtest.Record("copy", "4", right, "pass"), recordtest.Record("copy", "4", wrong, "case"), recordtest.Record("add", "4", right, "pass"), recordtest.Record("add", "4", right, "pass")}
	b = of(t, report.Input{Records: recordtest.Each(both...)})
	if b.Families[1].ModelScore != nil || *b.ModelScore != (2*0.5+4*0.75)/6 {
		t.Errorf("model score over all %v, of add %v", *b.ModelScore, b.Families[1].ModelScore)
	}
	for name, in := range map[string]report.Input{
		"a word":    {Records: recordtest.Each(append(of3, recordtest.Record("copy", "long", right, "pass"))...)},
		"no score":  {Records: recordtest.Each(append(of3, recordtest.Record("copy", "8", verbatim.Errored, ""))...)},
		"length 0":  {Records: recordtest.Each(recordtest.Record("copy", "0", right, "pass"))},
		"a band":    {Run: verbatim.Run{Plan: verbatim.Plan{Cells: []verbatim.Cell{{Family: "copy", Length: verbatim.Lengths{Min: 2, Max: 6}, Bands: []verbatim.Lengths{{Min: 2, Max: 6}}}}}}, Records: recordtest.Each(of3...)},
		"not asked": {Run: verbatim.Run{Plan: verbatim.Plan{Cells: []verbatim.Cell{{Family: "copy", N: 1, Length: verbatim.Lengths{Min: 12, Max: 12}}}}}, Records: recordtest.Each(of3...)},
	} {
		if b := of(t, in); b.Families[0].ModelScore != nil || b.ModelScore != nil {
			t.Errorf("%s: a model score", name)
		}
	}
}
