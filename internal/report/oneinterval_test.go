package report

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/verdict"
)

// TestOneInterval: a report and a comparison print one interval for the exact share of a run,
// with trials and without, over all items and in each family and length.
func TestOneInterval(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	random := rand.New(rand.NewPCG(5, 6))
	for _, trials := range []int{1, 3, 5} {
		run := verbatim.Run{Name: "r", Model: "m", Plan: verbatim.Plan{Hash: "h", Trials: trials}}
		var records []verbatim.Record
		for _, family := range []string{"add", "copy"} {
			for _, length := range []int{8, 16} {
				run.Plan.Cells = append(run.Plan.Cells, verbatim.Cell{Family: family, N: 10, Length: verbatim.Lengths{Min: length, Max: length}})
				for item := range 10 {
					chance := random.Float64()
					for trial := range trials {
						o := verbatim.Wrong
						if random.Float64() < chance {
							o = verbatim.Pass
						}
						r := recordtest.Record(family, fmt.Sprint(length), o, "")
						r.Seq, r.Trial, r.Item.ID = int64(len(records)), trial, fmt.Sprintf("%s/%d/%d", family, length, item)
						records = append(records, r)
					}
				}
			}
		}
		run.Plan.Count = int64(len(records))
		in := Input{Run: run, Records: recordtest.Each(records...)}
		r, err := Of(Options{Metric: MetricExact}, in)
		if err != nil {
			t.Fatal(err)
		}
		side := verdict.Side{Run: run, Records: in.Records}
		other := side
		other.Run.Name = "s"
		c, err := verdict.Compare(side, other, verdict.Defaults("exact", MetricExact.Score))
		if err != nil {
			t.Fatal(err)
		}
		same := func(what string, rate Rate, s verdict.SideResult) {
			if *rate.Share != s.Share || *rate.Low != s.Range.Low || *rate.High != s.Range.High {
				t.Errorf("%d trials, %s: the report says %v (%v to %v), the comparison %v (%v to %v)", trials, what, *rate.Share, *rate.Low, *rate.High, s.Share, s.Range.Low, s.Range.High)
			}
		}
		if s := r.Runs[0].Total.Score; *s.Low != c.A.Range.Low || *s.High != c.A.Range.High {
			t.Errorf("%d trials: the mean score has the interval %v to %v, the exact share %v", trials, *s.Low, *s.High, c.A.Range)
		}
		b, err := verdict.Rank([]verdict.Side{side, other}, verdict.RankOptions{Metric: "exact", Score: MetricExact.Score})
		if err != nil {
			t.Fatal(err)
		}
		if p := b.Places[0]; math.Abs(p.Low-c.A.Range.Low) > 1e-9 || math.Abs(p.High-c.A.Range.High) > 1e-9 {
			t.Errorf("%d trials: the ranking has the interval %v, the comparison %v", trials, p.Range, c.A.Range)
		}
		same("all", r.Runs[0].Total.Exact, c.A.SideResult)
		for i, f := range r.Runs[0].Families {
			same(f.Name, f.Total.Exact, c.Families[i].A)
		}
		for i, l := range r.Runs[0].Lengths {
			same(l.Length, l.Exact, c.Lengths[i].A)
		}
		if len(c.Families) != 2 || len(c.Lengths) != 2 {
			t.Errorf("%d families and %d lengths compared", len(c.Families), len(c.Lengths))
		}
	}
}
