package layout

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/recordtest"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

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
