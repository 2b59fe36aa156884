package layout

import (
	"bytes"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/number"
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

// paid gives a record a cost, and each attempt before the last a maximum cost; a
// negative cost is unknown.
func paid(r verbatim.Record, cost verbatim.Money, lost ...verbatim.Money) verbatim.Record {
	var attempts []verbatim.Attempt
	for i := range lost {
		a := verbatim.Attempt{N: i + 1, Class: verbatim.Cut}
		if lost[i] >= 0 {
			a.Cost = &lost[i]
		}
		attempts = append(attempts, a)
	}
	if r.Reply == nil {
		r.Failure = &verbatim.Failure{Class: verbatim.Cut, Attempts: attempts}
		return r
	}
	r.Reply.Attempts = append(attempts, verbatim.Attempt{N: len(lost) + 1, Status: 200})
	if cost >= 0 {
		r.Reply.Cost = &cost
	}
	return r
}

func TestCost(t *testing.T) {
	const cent = verbatim.Dollar / 100
	pass := func() verbatim.Record { return recordtest.Record("copy", "8", verbatim.Pass, "pass") }
	lost := func() verbatim.Record { return recordtest.Record("copy", "8", verbatim.CutOff, "") }
	for _, test := range []struct {
		name string
		recs []verbatim.Record
		line string // in words
		cell string
	}{
		{"nothing is known", []verbatim.Record{pass(), pass()}, "", number.Missing},
		{"all is known", []verbatim.Record{paid(pass(), 12*cent), paid(pass(), 30*cent)}, "$0.42", "$0.42"},
		{"for nothing", []verbatim.Record{paid(pass(), 0)}, "$0", "$0"},
		{"one is unknown", []verbatim.Record{paid(pass(), 12*cent), pass()}, "$0.12 for 1 reply; unknown for 1 reply", "$0.12+"},
		{"two are unknown", []verbatim.Record{pass(), paid(pass(), 12*cent), paid(pass(), -1), paid(pass(), 0)}, "$0.12 for 2 replies; unknown for 2 replies", "$0.12+"},
		{"a try was lost", []verbatim.Record{paid(pass(), 12*cent, 2*cent, -1)}, "$0.12; attempts of unknown cost may have cost up to $0.02", "$0.12"},
		{"no answer at all", []verbatim.Record{paid(lost(), -1, 20*cent, 30*cent)}, "attempts of unknown cost may have cost up to $0.50", number.Missing},
		{"an outage costs nothing", []verbatim.Record{paid(pass(), 12*cent), paid(lost(), -1, -1)}, "$0.12", "$0.12"},
		{"beyond counting", []verbatim.Record{paid(pass(), math.MaxInt64), paid(pass(), math.MaxInt64), paid(pass(), cent)}, "$" + strconv.FormatFloat(float64(math.MaxInt64)/1e12, 'f', 2, 64), "$9223372.04"},
	} {
		l := of(t, report.Input{Records: recordtest.Each(test.recs...)}).Total
		line := strings.Join(costWords(l.Cost), "; ")
		if line != test.line || CostText(l.Cost) != test.cell {
			t.Errorf("%s: %q and %q, want %q and %q", test.name, line, CostText(l.Cost), test.line, test.cell)
		}
	}
}

// TestFree wants no text about costs where nothing is paid, and all such texts where
// that is uncertain.
func TestFree(t *testing.T) {
	pass := func() verbatim.Record { return recordtest.Record("copy", "8", verbatim.Pass, "pass") }
	nothing, cached := &verbatim.Price{Source: "no provider is paid"}, verbatim.Money(1)
	for _, test := range []struct {
		name  string
		price *verbatim.Price
		recs  []verbatim.Record
		quiet bool
	}{
		{"free", nothing, []verbatim.Record{paid(pass(), 0)}, true},
		{"free, with lost tries", nothing, []verbatim.Record{paid(pass(), 0, 0, -1)}, true},
		{"free, and nothing is known", nothing, []verbatim.Record{pass()}, true},
		{"the price is not known", nil, []verbatim.Record{paid(pass(), 0)}, false},
		{"one reply cost something", nothing, []verbatim.Record{paid(pass(), 1)}, false},
		{"a try may have cost something", nothing, []verbatim.Record{paid(pass(), 0, 1)}, false},
		{"tokens in cost", &verbatim.Price{Input: 1}, []verbatim.Record{paid(pass(), 0)}, false},
		{"tokens out cost", &verbatim.Price{Output: 1}, []verbatim.Record{paid(pass(), 0)}, false},
		{"requests cost", &verbatim.Price{Request: 1}, []verbatim.Record{paid(pass(), 0)}, false},
		{"cached tokens cost", &verbatim.Price{Cached: &cached}, []verbatim.Record{paid(pass(), 0)}, false},
		{"one reply is not known", nothing, []verbatim.Record{paid(pass(), 0), pass()}, false},
	} {
		r, err := report.Of(report.Options{}, report.Input{Run: verbatim.Run{Price: test.price}, Records: recordtest.Each(test.recs...)})
		if err != nil {
			t.Fatal(err)
		}
		for name, format := range map[string]func(io.Writer, *report.Report, terminal.Style) error{"text": writeReport("text"), "markdown": writeReport("md")} {
			var out strings.Builder
			if err := format(&out, r, terminal.Style{Width: 200}); err != nil {
				t.Fatal(err)
			}
			if words := strings.Count(out.String(), "cost"); test.quiet != (words == 0) || !test.quiet && words < 2 {
				t.Errorf("%s, %s: %d texts about costs\n%s", test.name, name, words, out.String())
			}
		}
	}
}

// TestCostsAddUp wants the sums of all lines, families and runs to be those of a
// plain count, in whichever order the records come.
func TestCostsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		var recs []verbatim.Record
		var sum, maybe verbatim.Money
		var known, unknown int64
		for range rapid.IntRange(1, 40).Draw(t, "n") {
			o := rapid.SampledFrom(verbatim.Outcomes()).Draw(t, "outcome")
			cost := verbatim.Money(rapid.Int64Range(-3, 1e9).Draw(t, "cost"))
			lost := rapid.SliceOfN(rapid.Map(rapid.Int64Range(-3, 1e9), func(n int64) verbatim.Money { return verbatim.Money(n) }), 0, 2).Draw(t, "lost")
			recs = append(recs, paid(recordtest.Record(rapid.SampledFrom([]string{"a", "b"}).Draw(t, "family"), strconv.Itoa(rapid.IntRange(1, 3).Draw(t, "length")), o, "x"), cost, lost...))
			for _, l := range lost {
				maybe += max(l, 0)
			}
			switch {
			case !o.Answered():
			case cost >= 0:
				known, sum = known+1, sum+cost
			default:
				unknown++
			}
		}
		for range 2 {
			slices.Reverse(recs)
			r, err := report.Of(report.Options{}, report.Input{Records: recordtest.Each(recs...)})
			if err != nil {
				t.Fatal(err)
			}
			b := &r.Runs[0]
			var families, lines []*report.Cost
			for i := range b.Families {
				families = append(families, b.Families[i].Total.Cost)
				for j := range b.Families[i].Lines {
					lines = append(lines, b.Families[i].Lines[j].Cost)
				}
			}
			for _, list := range [][]*report.Cost{{b.Total.Cost}, families, lines} {
				var got report.Cost
				var dollars, may verbatim.Money
				for _, c := range list {
					if c == nil {
						continue
					}
					got.Known, got.Unknown = got.Known+c.Known, got.Unknown+c.Unknown
					if c.Dollars != nil {
						dollars += *c.Dollars
					}
					if c.MayHave != nil {
						may += *c.MayHave
					}
				}
				if dollars != sum || may != maybe || got.Known != known {
					t.Fatalf("%d and %d for %d replies, want %d and %d for %d", dollars, may, got.Known, sum, maybe, known)
				}
				if len(list) == 1 && list[0] != nil && got.Unknown != unknown {
					t.Fatalf("unknown for %d replies, want %d", got.Unknown, unknown)
				}
			}
		}
	})
}

// TestRetried counts the requests with more than one attempt, and their outcomes.
func TestRetried(t *testing.T) {
	pass := recordtest.Record("copy", "8", verbatim.Pass, "pass")
	wrong := recordtest.Record("copy", "8", verbatim.Wrong, "case")
	lost := recordtest.Record("copy", "8", verbatim.CutOff, "")
	again := func(r verbatim.Record) verbatim.Record {
		if r.Reply != nil {
			copied := *r.Reply
			r.Reply = &copied
		}
		return paid(r, -1, -1, -1)
	}
	continued := pass
	continued.Reply = &verbatim.Reply{Attempts: []verbatim.Attempt{{N: 4, Status: 200}}}
	once := pass
	once.Reply = &verbatim.Reply{Attempts: []verbatim.Attempt{{N: 1, Status: 200}}}
	for _, test := range []struct {
		name string
		recs []verbatim.Record
		want string
	}{
		{"never", []verbatim.Record{once, pass, wrong, lost}, ""},
		{"one", []verbatim.Record{once, again(pass), wrong}, "1 request was tried more than once; 1 of 1 answer exact (100.0 %, 20.7–100.0)"},
		{"continued", []verbatim.Record{continued, wrong}, "1 request was tried more than once; 1 of 1 answer exact (100.0 %, 20.7–100.0)"},
		{"some", []verbatim.Record{again(pass), again(wrong), again(lost), once}, "3 requests were tried more than once; 1 of 2 answers exact (50.0 %, 9.5–90.5)"},
		{"in vain", []verbatim.Record{again(lost), again(lost), once}, "2 requests were tried more than once; none was answered"},
	} {
		b := of(t, report.Input{Records: recordtest.Each(test.recs...)})
		if got := strings.Join(retries(b.Retried), "; "); got != test.want {
			t.Errorf("%s: %q, want %q", test.name, got, test.want)
		}
	}
}

// TestReasoningWithoutTokens counts the answers by their texts where the server counts no
// tokens, and has no row that would be empty.
func TestReasoningWithoutTokens(t *testing.T) {
	size := 12.0
	table := reasoningTable([]report.Reasoned{{Outcome: verbatim.Wrong, Texts: &report.ReasoningTexts{
		Characters:     report.Sizes{Mean: &size, Min: &size, Median: &size, Max: &size, Total: 36, N: 3},
		SecondThoughts: report.Marked{Total: 6, Answers: 2},
		Patterns:       map[string]report.Marked{"letter by letter": {Total: 9, Answers: 1}},
		Phrases:        map[string]report.Marked{"hmm": {Total: 1, Answers: 1}, "no,": {Total: 3, Answers: 2}, "oops": {}, "a": {}, "b": {}, "zz": {}},
	}}})
	want := map[string]string{
		"  answers": "3", "  characters, median": "12", "  characters, mean": "12", "  characters, range": "12",
		"  second thoughts an answer": "2.00", "  repeated lines an answer": "0.00", "  language switches an answer": "0.00",
		"  starting over an answer": "0.00", "  equation or rule an answer": "0.00", "  letter by letter an answer": "3.00",
		`  "no," an answer`: "1.00", `  "hmm" an answer`: "0.33", `  "a" an answer`: "0.00", `  "b" an answer`: "0.00", `  "oops" an answer`: "0.00", // the five most frequent
	}
	if len(table.Rows) != len(want) {
		t.Errorf("%d rows, want %d", len(table.Rows), len(want))
	}
	for _, r := range table.Rows {
		if r.Cells[1] != want[r.Cells[0]] {
			t.Errorf("%q has %q, want %q", r.Cells[0], r.Cells[1], want[r.Cells[0]])
		}
	}
}
