package retest

import (
	"math"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"golang.org/x/sync/errgroup"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
	"verbatim/internal/verdict"
)

// confidence is the probability of all intervals.
const confidence = 0.95

// Margin and Alpha are the settings of the check: those of 'verbatim check' without flags.
const (
	Margin = 0.05
	Alpha  = 0.05
)

// resampleSizes are the numbers of items at which rates are computed, in addition to the
// number of the run.
var resampleSizes = []int{100, 400, 1440}

// A resampler draws the results of two passes over an unchanged model. It draws items with
// replacement within the cells of the design (bootstrap; Efron 1979, Annals of Statistics
// 7:1–26), and two answers of each item in random order (permutation; Pitman 1937,
// Supplement to the JRSS 4:119–130). So neither pass is better than the other.
type resampler struct {
	grid  *verdict.Grid
	o     *verdict.Options
	alpha float64
	cells [][]*item // by cell of the design
	items []*item
}

// newResampler groups the items by cell of the design.
func newResampler(items []*item, g *verdict.Grid, o *verdict.Options, alpha float64) *resampler {
	r := &resampler{grid: g, o: o, alpha: alpha, items: items}
	at := map[int]int{}
	for _, it := range items {
		cell := g.Design(it.cell)
		i, ok := at[cell]
		if !ok {
			i = len(r.cells)
			at[cell] = i
			r.cells = append(r.cells, nil)
		}
		r.cells[i] = append(r.cells[i], it)
	}
	return r
}

// A difference is the difference of the scores of one item of a resample.
type difference struct {
	cell  int
	value float64
}

// draw draws the differences of n items in random order, from each cell in proportion to its
// size. Items left over by rounding come from any cell. It reuses the memory of into.
func (r *resampler) draw(rng *rand.Rand, n int, into []difference) []difference {
	into = into[:0]
	add := func(from []*item) {
		it := from[rng.IntN(len(from))]
		i := rng.IntN(len(it.scores))
		j := rng.IntN(len(it.scores) - 1)
		if j >= i {
			j++
		}
		into = append(into, difference{it.cell, it.scores[i] - it.scores[j]})
	}
	for _, cell := range r.cells {
		for range n * len(cell) / len(r.items) {
			add(cell)
		}
	}
	for len(into) < n {
		add(r.items)
	}
	rng.Shuffle(n, func(i, j int) { into[i], into[j] = into[j], into[i] })
	return into
}

// rates count verdicts over resamples.
type rates struct {
	compare map[verdict.Word]int64
	check   map[sequential.Decision]int64
	items   int64 // sum of the numbers of items until the decision of the check
}

// simulate draws resamples of n items, and counts the verdicts of a check at the margin and,
// unless gateOnly is set, of Compare.
func (r *resampler) simulate(n int, margin float64, gateOnly bool) (rates, error) {
	workers := runtime.GOMAXPROCS(0)
	sum := rates{compare: map[verdict.Word]int64{}, check: map[sequential.Decision]int64{}}
	var mu sync.Mutex // of sum
	var group errgroup.Group
	for w := range workers {
		group.Go(func() error {
			var sample []difference
			for i := w; i < r.o.Resamples; i += workers {
				// Each resample has its own generator, so that results do not depend on the
				// number of workers.
				rng := rand.New(rand.NewPCG(r.o.Seed, uint64(n)<<32|uint64(i)))
				sample = r.draw(rng, n, sample)
				one, err := r.judge(sample, margin, gateOnly)
				if err != nil {
					return err
				}
				mu.Lock()
				sum.add(one)
				mu.Unlock()
			}
			return nil
		})
	}
	return sum, group.Wait()
}

// verdicts are those on one resample.
type verdicts struct {
	compare verdict.Word // "": not judged
	check   sequential.Decision
	items   int // until the decision of the check
}

func (r *rates) add(v verdicts) {
	if v.compare != "" {
		r.compare[v.compare]++
	}
	r.check[v.check]++
	r.items += int64(v.items)
}

// judge returns the verdicts on one resample.
func (r *resampler) judge(sample []difference, margin float64, gateOnly bool) (v verdicts, err error) {
	var differences stats.Strata
	for _, x := range sample {
		if err := differences.Add(x.cell, x.value); err != nil {
			return v, err
		}
	}
	gate, err := sequential.NewGate(margin, r.alpha, 0)
	if err != nil {
		return v, err
	}
	v.check = sequential.Undecided
	for i := 0; i < len(sample) && v.check == sequential.Undecided; i++ {
		if v.check, err = gate.Add([]float64{sample[i].value}); err != nil {
			return v, err
		}
	}
	v.items = gate.N()
	if v.check == sequential.Undecided {
		last, err := differences.Merge(func(int) int { return 0 }).Bounds(false)
		if err != nil {
			return v, err
		}
		v.check = gate.FinalLook(last)
	}
	if gateOnly {
		return v, nil
	}
	whole, how, strata, err := verdict.StratifiedPosterior(&differences, r.grid)
	if err != nil {
		return v, err
	}
	d, err := r.o.Difference(whole, strata, how != verdict.Unstratified)
	if err != nil {
		return v, err
	}
	v.compare = r.o.Word(&d)
	return v, nil
}

// sizes computes the rates at the run's own number of items and at resampleSizes.
func (r *resampler) sizes(own int) ([]SizeRates, error) {
	list := append([]int{own}, resampleSizes...)
	slices.Sort(list)
	var out []SizeRates
	for _, n := range slices.Compact(list) {
		s, err := r.simulate(n, Margin, false)
		if err != nil {
			return nil, err
		}
		share := func(n int64) Proportion { return proportion(n, int64(r.o.Resamples)) }
		out = append(out, SizeRates{n,
			CompareRates{share(s.compare[verdict.Worse]), share(s.compare[verdict.Better]), share(s.compare[verdict.Equivalent]), share(s.compare[verdict.Inconclusive])},
			CheckRates{share(s.check[sequential.Worse]), share(s.check[sequential.Pass]), share(s.check[sequential.Undecided]), float64(s.items) / float64(r.o.Resamples)},
		})
	}
	return out, nil
}

// The margins and the shares of passing checks of requiredItems.
var (
	requiredFor = []float64{0.02, 0.05, 0.1}
	passShares  = []float64{0.8, 0.95}
)

// maxResampled is the largest number of items for which requiredItems is checked by
// simulation.
const maxResampled = 4000

// requiredItems computes the number of items with which the unchanged model passes.
func (r *resampler) requiredItems(within float64) ([]RequiredItems, error) {
	var out []RequiredItems
	for _, margin := range requiredFor {
		for _, share := range passShares {
			n, err := stats.ItemsToPass(math.Sqrt2*within, margin, r.alpha, share)
			if err != nil {
				return nil, err
			}
			need := RequiredItems{Margin: margin, Share: share, Items: n}
			if n <= maxResampled {
				s, err := r.simulate(int(n), margin, true)
				if err != nil {
					return nil, err
				}
				need.Passed = new(proportion(s.check[sequential.Pass], int64(r.o.Resamples)))
			}
			out = append(out, need)
		}
	}
	return out, nil
}

// requiredMargins computes the margins at which the unchanged model passes a share of its
// checks.
func (r *resampler) requiredMargins(within float64, items int64) []RequiredMargin {
	var out []RequiredMargin
	for _, share := range passShares {
		out = append(out, RequiredMargin{share, stats.MarginToPass(math.Sqrt2*within, items, r.alpha, share)})
	}
	return out
}
