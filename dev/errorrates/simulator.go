package main

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"strings"
	"sync"
)

// A section is one heading of the page.
type section struct {
	name   string // for -only
	title  string
	text   string // what is stated
	tables func(l *simulator) []table
}

// A table has a row for each case, with the cells of its setting and a column for each measurement.
type table struct {
	title, note string
	settings    []string
	columns     []column
	cases       []setting
}

// A column prints one of the measured numbers of a case.
type column struct {
	head, number string
	print        func(estimate) string
}

// A setting is one row: what is simulated, and what is stated about it.
type setting struct {
	cells  []string
	of     []simulation
	stated []limit
}

// A simulation makes about full random runs. Each writes a number for each name. sum stands in place of
// it where the numbers are summed exactly.
type simulation struct {
	stream string // names the random numbers: the same name compares methods on the same data
	full   int
	names  []string
	run    func(r *rand.Rand, out []float64)
	sum    func() []float64
}

// A limit is a stated rate of one number. Limits without a claim are not on the page for users.
type limit struct {
	number string
	rate   float64
	least  bool // rate is a minimum, not a maximum
	claim  string
}

func atMost(number string, rate float64, claim string) limit {
	return limit{number, rate, false, claim}
}

func atLeast(number string, rate float64, claim string) limit {
	return limit{number, rate, true, claim}
}

// A statedRate is a limit with the measured rate.
type statedRate struct {
	limit
	measured estimate
	place    string
}

// slack is how far the measured rate is from its limit; negative beyond it.
func (c statedRate) slack() float64 {
	if c.least {
		return c.measured.mean - c.rate
	}
	return c.rate - c.measured.mean
}

// missed reports whether the rate misses its limit by more than a number of Monte Carlo
// errors. The error is that of the limit, so that a measured rate of 0 or 1 has one too.
func (c statedRate) missed(errors float64) bool {
	se := 0.0
	if c.measured.runs > 0 { // otherwise it is summed, not simulated
		se = max(c.measured.se, math.Sqrt(c.rate*(1-c.rate)/float64(c.measured.runs)))
	}
	return !(c.slack() >= -errors*se)
}

func (c statedRate) String() string {
	return fmt.Sprintf("%s: %s is %s, stated: %v (minimum: %v)", c.place, c.number, c.measured, c.rate, c.least)
}

// section simulates a section, writes it as Markdown and returns its stated rates.
func (l *simulator) section(w io.Writer, s section) (rates []statedRate) {
	fmt.Fprintf(w, "\n## %s\n\n%s\n", s.title, s.text)
	for _, t := range s.tables(l) {
		fmt.Fprintln(w)
		if t.title != "" {
			fmt.Fprintf(w, "**%s**\n\n", t.title)
		}
		head := t.settings
		for _, c := range t.columns {
			head = append(head, c.head)
		}
		fmt.Fprintf(w, "| %s |\n|%s\n", strings.Join(head, " | "), strings.Repeat("---|", len(head)))
		for _, one := range t.cases {
			numbers := map[string]estimate{}
			for _, sim := range one.of {
				for i, e := range l.repeat(sim) {
					numbers[sim.names[i]] = e
				}
			}
			cells := one.cells
			for _, c := range t.columns {
				cells = append(cells, c.print(numbers[c.number]))
			}
			fmt.Fprintf(w, "| %s |\n", strings.Join(cells, " | "))
			for _, limit := range one.stated {
				rates = append(rates, statedRate{limit, numbers[limit.number], s.title + ", " + t.title + ", " + strings.Join(one.cells, ", ")})
			}
		}
		if t.note != "" {
			fmt.Fprintf(w, "\n%s\n", t.note)
		}
	}
	return rates
}

// A simulator repeats simulated runs.
type simulator struct {
	workers  int
	short    bool // fewer settings, and fewer runs of each
	scores   *scores
	progress io.Writer
}

// tolerance is the number of Monte Carlo errors by which a rate of the short form may miss its limit: it
// has few runs. The full form has no tolerance. Its random numbers are fixed, so that no rate misses by
// chance from one time to the next.
func (l *simulator) tolerance() float64 {
	if l.short {
		return 4
	}
	return 0
}

// runs returns the number of runs: full, or fewer in the short form.
func (l *simulator) runs(full int) int {
	if l.short {
		return min(full, max(50, full/20))
	}
	return full
}

// subset returns all settings of a list; in the short form the first one and each step-th after it.
func subset[T any](l *simulator, step int, all ...T) []T {
	if !l.short {
		return all
	}
	var few []T
	for i := 0; i < len(all); i += step {
		few = append(few, all[i])
	}
	return few
}

// batchSize is the number of runs that share one stream of random numbers.
const batchSize = 50

// repeat returns the mean of each number over the runs. Each batch has its own stream of random
// numbers, seeded by the name and the index of the batch, and batches are added in order. So
// the result depends only on the name and the number of runs.
func (l *simulator) repeat(s simulation) (all []estimate) {
	if s.sum != nil {
		for _, v := range s.sum() {
			all = append(all, estimate{mean: v})
		}
		return all
	}
	runs := l.runs(s.full)
	batches := make([][]moments, (runs+batchSize-1)/batchSize)
	work := make(chan int)
	var wait sync.WaitGroup
	for range l.workers {
		wait.Go(func() {
			for k := range work {
				m := make([]moments, len(s.names))
				r, out := stream(s.stream, k), make([]float64, len(s.names))
				for range min(batchSize, runs-k*batchSize) {
					clear(out)
					s.run(r, out)
					for i, v := range out {
						m[i].join(moments{1, v, v * v, v != 0 && v != 1})
					}
				}
				batches[k] = m
			}
		})
	}
	for k := range batches {
		work <- k
	}
	close(work)
	wait.Wait()
	for i := range s.names {
		var m moments
		for _, p := range batches {
			m.join(p[i])
		}
		mean := m.sum / m.n
		all = append(all, estimate{mean, math.Sqrt(max(0, m.squares/m.n-mean*mean) / m.n), runs, !m.fraction})
	}
	return all
}

// stream returns the random numbers of one batch.
func stream(name string, k int) *rand.Rand {
	return rand.New(rand.NewChaCha8(sha256.Sum256(binary.BigEndian.AppendUint64([]byte(name+"\x00"), uint64(k)))))
}

// moments are the sums for a mean and its error.
type moments struct {
	n, sum, squares float64
	fraction        bool // a value was neither 0 nor 1
}

func (m *moments) join(o moments) {
	m.n += o.n
	m.sum += o.sum
	m.squares += o.squares
	m.fraction = m.fraction || o.fraction
}

// An estimate is the mean over runs, with its Monte Carlo error.
type estimate struct {
	mean, se float64
	runs     int  // 0: summed exactly
	share    bool // every run gave 0 or 1
}

// String prints a mean with its Monte Carlo error: "0.0123 ± 0.0011". For a share of 0 or 1 it prints
// the 95 % bound, which is 3 divided by the number of runs: "< 0.0003".
func (e estimate) String() string {
	switch {
	case e.runs == 0:
		return fmt.Sprintf("%.4f", e.mean)
	case e.share && e.mean == 0:
		return fmt.Sprintf("< %.4f", 3/float64(e.runs))
	case e.share && e.mean == 1:
		return fmt.Sprintf("> %.4f", 1-3/float64(e.runs))
	}
	return fmt.Sprintf("%.4f ± %.4f", e.mean, e.se)
}

// percentBound prints a share in percent, or the bound on one that never or always occurred.
func (e estimate) percentBound() string {
	switch {
	case e.share && e.mean == 0:
		return fmt.Sprintf("< %.1f %%", 300/float64(e.runs))
	case e.share && e.mean == 1:
		return fmt.Sprintf("> %.1f %%", 100-300/float64(e.runs))
	}
	return percent(e)
}

// The ways to print a column.
func rate(e estimate) string    { return e.String() }
func percent(e estimate) string { return fmt.Sprintf("%.1f %%", 100*e.mean) }
func count(e estimate) string   { return fmt.Sprintf("%.0f", e.mean) }
func tenths(e estimate) string  { return fmt.Sprintf("%.1f", e.mean) }
func saved(e estimate) string   { return fmt.Sprintf("%.0f %%", 100*(1-e.mean/publishedItems)) }

// decimals prints a mean with a number of decimals.
func decimals(n int) func(estimate) string {
	return func(e estimate) string { return fmt.Sprintf("%.*f", n, e.mean) }
}

// indicator returns 1 if a condition holds, otherwise 0. Its mean over runs is a share.
func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}

// must panics on an error: it means that this command calls a statistic with wrong arguments.
func must(err error) {
	if err != nil {
		panic(err)
	}
}

// mustValue is must for a function that returns a value.
func mustValue[T any](v T, err error) T {
	must(err)
	return v
}
