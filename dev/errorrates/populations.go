package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"sync"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
)

const (
	alpha     = .05
	threshold = .95 // of compare
	rope      = .02
)

// manyRuns and fewRuns are numbers of runs. A posterior of many different scores takes longer.
const manyRuns, fewRuns = 4000, 1000

// A differencePopulation is a distribution of the difference of two scores with a known mean.
type differencePopulation struct {
	name string
	mean float64
	draw func(r *rand.Rand) float64
}

// flips are differences of exact answers: worse is the probability that only the first is
// right, better that only the second is.
func flips(name string, worse, better float64) differencePopulation {
	return differencePopulation{name, better - worse, func(r *rand.Rand) float64 {
		switch u := r.Float64(); {
		case u < worse:
			return -1
		case u < worse+better:
			return 1
		}
		return 0
	}}
}

// drawFrom draws one of the values with equal probability.
func drawFrom(name string, values []float64) differencePopulation {
	return differencePopulation{name, mean(values), func(r *rand.Rand) float64 { return values[r.IntN(len(values))] }}
}

// differencePopulations are built-in ones, and published scores at one length, from mostly zero
// differences to almost none.
func differencePopulations(s *scores) []differencePopulation {
	losses := make([]float64, 9*50) // nine zeros for each loss
	for i := range 50 {
		u := (float64(i) + .5) / 50
		losses = append(losses, -u*u)
	}
	all := []differencePopulation{
		flips("2 % fail", .02, 0),
		flips("10 % fail", .1, 0),
		flips("10 % worse, 5 % better", .1, .05),
		drawFrom("a tenth loses up to all", losses),
		{"smooth", -.03, func(r *rand.Rand) float64 { // in hundredths, since scores are fractions
			return -.03 + math.Round(30*(r.Float64()+r.Float64()+r.Float64()-1.5))/100
		}},
	}
	for _, c := range []struct {
		length int
		a, b   string
	}{{8, "GPT-4o", "o3-mini"}, {16, "GPT-4o", "GPT-4o-mini"}, {64, "Claude-3.5-Haiku", "Llama-3.1"}, {256, "GPT-4o-mini", "Claude-3.5-Sonnet"}} {
		d, n := s.differences(c.a, c.b), slices.Index(s.lengths, c.length)
		var of []float64
		for t := range s.tasks {
			of = append(of, d[s.index(t, n, 0):s.index(t, n, lists)]...)
		}
		all = append(all, drawFrom(fmt.Sprintf("%s − %s, %d items", c.b, c.a, c.length), of))
	}
	return all
}

// A cellPopulation is a list of cells, each with its distribution of differences.
type cellPopulation struct {
	name  string
	cells []differencePopulation
}

// cellPopulations are populations of 144 cells: two models with different horizons, and published pairs.
func cellPopulations(s *scores) []cellPopulation {
	falls := cellPopulation{name: "exact answers, two limits"}
	for i := range 144 {
		a, b := 1/(1+math.Exp(float64(i-100)/12)), 1/(1+math.Exp(float64(i-85)/12))
		falls.cells = append(falls.cells, flips("", a*(1-b), b*(1-a)))
	}
	all := []cellPopulation{falls}
	for _, pair := range [][2]string{{"GPT-4o", "Claude-3.5-Sonnet"}, {"o3-mini", "DeepSeek-r1"}} {
		g := cellPopulation{name: pair[1] + " − " + pair[0]}
		for d := range slices.Chunk(s.differences(pair[0], pair[1]), lists) {
			g.cells = append(g.cells, drawFrom("", d))
		}
		all = append(all, g)
	}
	return all
}

// A taskPopulation draws tasks, which draw differences.
type taskPopulation struct {
	name string
	mean float64
	task func(r *rand.Rand) func(r *rand.Rand) float64
}

// taskPopulations are normal tasks, and the published tasks as a population.
func taskPopulations(s *scores) []taskPopulation {
	all := []taskPopulation{{"normal tasks", 0, func(r *rand.Rand) func(r *rand.Rand) float64 {
		centre := .08 * r.NormFloat64()
		return func(r *rand.Rand) float64 { return max(-1, min(1, centre+.2*r.NormFloat64())) }
	}}}
	for _, pair := range [][2]string{{"GPT-4o", "Claude-3.5-Sonnet"}, {"Claude-3.5-Haiku", "Llama-3.1"}} {
		d := s.differences(pair[0], pair[1])
		each := len(d) / len(s.tasks)
		all = append(all, taskPopulation{pair[1] + " − " + pair[0], mean(d), func(r *rand.Rand) func(r *rand.Rand) float64 {
			t := r.IntN(len(s.tasks))
			return drawFrom("", d[t*each:(t+1)*each]).draw
		}})
	}
	return all
}

// A benchmark is one draw of all items: the differences in planned order, block by block,
// with the baseline score and the cell of each.
type benchmark struct {
	differences []float64
	baseline    []float64
	cells       []int // nil if there is one cell
	block       int
	whole       *stats.Bounds // of all items, if they are known
}

// emptyBenchmark returns n items of one cell without scores.
func emptyBenchmark(n int) *benchmark {
	return &benchmark{differences: make([]float64, n), baseline: make([]float64, n), block: 1}
}

// strata returns the differences of all items by cell.
func (b *benchmark) strata() *stats.Strata {
	var s stats.Strata
	for i, d := range b.differences {
		cell := 0
		if b.cells != nil {
			cell = b.cells[i]
		}
		must(s.Add(cell, d))
	}
	return &s
}

// posterior returns the posterior of all items, as compare computes it.
func (b *benchmark) posterior() *stats.Posterior {
	if b.cells == nil {
		return mustValue(b.strata().Posterior())
	}
	return mustValue(b.strata().StratifiedPosterior())
}

// bounds returns the bounds of all items, as the last look of check computes them.
func (b *benchmark) bounds() *stats.Bounds {
	if b.whole != nil {
		return b.whole
	}
	return new(mustValue(b.strata().Bounds(false)))
}

// A tester is a ROPE test or a gate.
type tester interface {
	Add(block []float64) (sequential.Decision, error)
	FinalLook(b sequential.Bounds) sequential.Decision
	SetBaseline(scores []float64) error
	N() int
	Interval() stats.Interval
}

// A test is the ROPE test of --until-verdict or the gate of check, with its ROPE or margin.
type test struct {
	width float64
	gate  bool
}

// of returns the test of a number of items, 0 for the scope of the endpoint.
func (t test) of(items int) tester {
	if t.gate {
		return mustValue(sequential.NewGate(t.width, alpha, items))
	}
	return mustValue(sequential.NewROPETest(t.width, alpha, items))
}

// right returns the right decision for a mean. The edges belong to the ROPE.
func (t test) right(mean float64) sequential.Decision {
	switch {
	case mean < -t.width-1e-12:
		return sequential.Worse
	case t.gate:
		return sequential.Pass
	case mean > t.width+1e-12:
		return sequential.Better
	}
	return sequential.Equivalent
}

// decide adds blocks to a test until it decides. If it does not, it takes the last look or leaves it.
func (b *benchmark) decide(t tester, look bool) sequential.Decision {
	for block := range slices.Chunk(b.differences, b.block) {
		if d := mustValue(t.Add(block)); d != sequential.Undecided {
			return d
		}
	}
	if !look {
		return sequential.Undecided
	}
	return t.FinalLook(b.bounds())
}

// A population draws benchmarks with a given true mean difference.
type population struct {
	name  string
	cells []string // of the table
	runs  int
	draw  func(r *rand.Rand, delta float64) *benchmark
	mean  float64 // of a population that always is the same items
}

// ofItems is a population whose items are alike: one returns the baseline score and the other score.
func ofItems(name string, n int, one func(r *rand.Rand, delta float64) (baseline, other float64)) population {
	return population{name: name, cells: []string{name}, runs: manyRuns, draw: func(r *rand.Rand, delta float64) *benchmark {
		b := emptyBenchmark(n)
		for i := range b.differences {
			baseline, other := one(r, delta)
			b.baseline[i], b.differences[i] = baseline, other-baseline
		}
		return b
	}}
}

// exactAnswers are right or wrong answers of two independent endpoints: the baseline is
// right with probability p, the other with p + delta.
func exactAnswers(p float64, n int) population {
	return ofItems(fmt.Sprintf("exact answers, %g right, %d items", p, n), n, func(r *rand.Rand, delta float64) (float64, float64) {
		baseline := indicator(r.Float64() < p)
		return baseline, indicator(r.Float64() < p+delta)
	})
}

// unevenItems are right or wrong answers to items of which some are always right and the
// others with probability p. The baseline has several trials, which are averaged.
func unevenItems(name string, always, p float64, trials, n int) population {
	return ofItems(name, n, func(r *rand.Rand, delta float64) (float64, float64) {
		q, right := p, 0.0
		if r.Float64() < always {
			q = 1
		}
		for range trials {
			right += indicator(r.Float64() < q)
		}
		return right / float64(trials), indicator(r.Float64() < q+delta)
	})
}

// outrightFailures are a baseline that is always right, and an endpoint that fails sometimes.
func outrightFailures(n int) population {
	p := ofItems("failures outright, "+strconv.Itoa(n)+" items", n, func(r *rand.Rand, delta float64) (float64, float64) {
		return 1, 1 - indicator(r.Float64() < -delta)
	})
	return p
}

// publishedPopulations are populations of published scores. Both endpoints draw one of the
// ten scores of model a in every cell. One of them draws from model b with the probability
// that gives the true difference. A block has an item of every length.
func publishedPopulations(s *scores) (all []population) {
	for _, pair := range [][2]string{{"Llama-3.1", "o3-mini"}, {"Claude-3.5-Haiku", "o3-mini"}, {"DeepSeek-r1", "GPT-4o"}} {
		a, b := s.byModel[pair[0]], s.byModel[pair[1]]
		gap := mean(b) - mean(a)
		name := pair[0] + " towards " + pair[1]
		all = append(all, population{name: name, cells: []string{name}, runs: fewRuns, draw: func(r *rand.Rand, delta float64) *benchmark {
			m := s.order(r)
			for i, position := range m.cells {
				cell := position / lists * lists
				first, second := a[cell+r.IntN(lists)], a[cell+r.IntN(lists)]
				if r.Float64() < math.Abs(delta)/gap {
					second = b[cell+r.IntN(lists)]
				}
				if delta < 0 {
					first, second = second, first
				}
				m.baseline[i], m.differences[i], m.cells[i] = first, second-first, cell/lists
			}
			return m
		}})
	}
	return all
}

// A rankPopulation is some runs with known true means, and how their scores are drawn.
type rankPopulation struct {
	name  string
	means []float64
	items int
	// draw calls add for each item, with its cell and the score of each run.
	draw func(r *rand.Rand, add func(cell int, x []float64))
}

// exactRuns are right and wrong answers. Half of the items are right for all runs. On the others, run i
// is right with the probability that gives its mean.
func exactRuns(name string, items int, means []float64) rankPopulation {
	return rankPopulation{name, means, items, func(r *rand.Rand, add func(cell int, x []float64)) {
		x := make([]float64, len(means))
		for range items {
			easy := r.IntN(2) == 0
			for i, m := range means {
				x[i] = indicator(easy || r.Float64() < 2*m-1)
			}
			add(0, x)
		}
	}}
}

// publishedRuns are runs that draw scores of model a, each with its own probability of
// drawing from model b instead. Up to 180 items are of random cells; more are ten of each cell.
func publishedRuns(s *scores, name string, items int, a, b string, chances []float64) rankPopulation {
	f := rankPopulation{name: name, items: items}
	lower, upper := mean(s.byModel[a]), mean(s.byModel[b])
	for _, p := range chances {
		f.means = append(f.means, lower+p*(upper-lower))
	}
	f.draw = func(r *rand.Rand, add func(cell int, x []float64)) {
		x := make([]float64, len(chances))
		for i := range items {
			from, cell := r.IntN(publishedItems/lists), 0
			if items == publishedItems {
				from, cell = i/lists, i/lists
			}
			for k, p := range chances {
				of := s.byModel[a]
				if r.Float64() < p {
					of = s.byModel[b]
				}
				x[k] = of[from*lists+r.IntN(lists)]
			}
			add(cell, x)
		}
	}
	return f
}

// evenlySpaced returns k numbers, starting with first.
func evenlySpaced(k int, first, step float64) []float64 {
	list := make([]float64, k)
	for i := range list {
		list[i] = first + step*float64(i)
	}
	return list
}

// rankPopulations lists the populations for a number of runs and items.
func rankPopulations(s *scores, k, items int) []rankPopulation {
	// A quarter of the standard error of a difference leaves the order open.
	step := .1 / math.Sqrt(float64(items))
	return []rankPopulation{
		exactRuns("exact answers, all equal", items, evenlySpaced(k, .85, 0)),
		exactRuns("exact answers, nearly equal", items, evenlySpaced(k, .85, step)),
		exactRuns("exact answers, two equal and the others apart", items, append(evenlySpaced(2, .9, 0), evenlySpaced(k-2, .55, .3/float64(k))...)),
		exactRuns("exact answers, 2 % wrong, all equal", items, evenlySpaced(k, .98, 0)),
		publishedRuns(s, "Llama-3.1, all equal", items, "Llama-3.1", "o3-mini", evenlySpaced(k, 0, 0)),
		publishedRuns(s, "Llama-3.1 towards o3-mini, nearly equal", items, "Llama-3.1", "o3-mini", evenlySpaced(k, 0, .5/math.Sqrt(float64(items)))),
		publishedRuns(s, "GPT-4o towards o3-mini, two equal and the others apart", items, "GPT-4o", "o3-mini", append([]float64{0, 0}, evenlySpaced(k-2, .2, .1)...)),
		publishedRuns(s, "o3-mini, all equal", items, "o3-mini", "GPT-4o", evenlySpaced(k, 0, 0)),
	}
}

// trueRanks returns the best and the worst rank of each run: runs with equal means share theirs.
func (f *rankPopulation) trueRanks() (best, worst []int) {
	for _, m := range f.means {
		ahead, equal := 0, 0
		for _, other := range f.means {
			if other > m+1e-12 {
				ahead++
			} else if other >= m-1e-12 {
				equal++
			}
		}
		best, worst = append(best, ahead+1), append(worst, ahead+equal)
	}
	return best, worst
}

// joint draws the items and returns the posterior of the means.
func (f *rankPopulation) joint(r *rand.Rand) *stats.ScorePosterior {
	v := stats.NewRankScores(len(f.means))
	f.draw(r, func(cell int, x []float64) { must(v.Add(cell, x)) })
	return mustValue(v.Posterior(len(v.Cells()) > 1, nil))
}

// scores are the published SortBench scores: for every model ten lists of each of 18 tasks
// at each of 8 lengths.
type scores struct {
	models  []string             // in alphabetical order
	tasks   []string             // in alphabetical order
	lengths []int                // in rising order
	byModel map[string][]float64 // model → score of list k of task t at length l, at index(t, l, k)
}

// lists is the number of lists of a task at a length, publishedItems that of all of a model.
const lists, publishedItems = 10, 1440

// readScores reads the published scores:
//
//	{"cells": [["ASCII-Cased", 128], …], "v": {"GPT-4o": [[0.98, …ten scores], …a list for each cell], …}}
func readScores(name string) (*scores, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return nil, err
	}
	var file struct {
		Cells [][2]any // a task and a length
		V     map[string][][lists]float64
	}
	if err := json.Unmarshal(data, &file); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	s := &scores{models: slices.Sorted(maps.Keys(file.V)), byModel: map[string][]float64{}}
	for _, c := range file.Cells {
		s.tasks, s.lengths = append(s.tasks, c[0].(string)), append(s.lengths, int(c[1].(float64)))
	}
	slices.Sort(s.tasks)
	slices.Sort(s.lengths)
	s.tasks, s.lengths = slices.Compact(s.tasks), slices.Compact(s.lengths)
	for model, cells := range file.V {
		if len(cells) != len(file.Cells) || len(cells)*lists != publishedItems || len(s.tasks)*len(s.lengths) != len(cells) {
			return nil, fmt.Errorf("%s: %s has %d cells of %d tasks and %d lengths", name, model, len(cells), len(s.tasks), len(s.lengths))
		}
		of := make([]float64, publishedItems)
		for i, c := range file.Cells {
			copy(of[s.index(slices.Index(s.tasks, c[0].(string)), slices.Index(s.lengths, int(c[1].(float64))), 0):], cells[i][:])
		}
		s.byModel[model] = of
	}
	return s, nil
}

// index returns the index of list k of task t at length n.
func (s *scores) index(t, n, k int) int { return (t*len(s.lengths)+n)*lists + k }

// differences returns the scores of b minus those of a, list by list.
func (s *scores) differences(a, b string) []float64 {
	d := slices.Clone(s.byModel[b])
	for i, v := range s.byModel[a] {
		d[i] -= v
	}
	return d
}

// order returns a benchmark without differences, whose cells are still indexes of lists. A
// block has one list of every length; otherwise the order is random.
func (s *scores) order(r *rand.Rand) *benchmark {
	n, b := len(s.lengths), emptyBenchmark(publishedItems)
	b.cells, b.block = make([]int, publishedItems), n
	for length := range n {
		for i, k := range r.Perm(len(s.tasks) * lists) {
			b.cells[i*n+length] = s.index(k/lists, length, k%lists)
		}
	}
	return b
}

// publishedPairs are all pairs of published models, in order. Their items are those of the benchmark.
func publishedPairs(s *scores) (all []population) {
	for i, first := range s.models {
		for _, second := range s.models[i+1:] {
			d := mean(s.differences(first, second))
			// The last look is one at all items in every run: the order does not matter.
			whole := sync.OnceValue(s.realised(stream("pairs", 0), first, second).bounds)
			all = append(all, population{name: first + "/" + second, cells: []string{first, second, fmt.Sprintf("%+.4f", d)}, mean: d, draw: func(r *rand.Rand, _ float64) *benchmark {
				b := s.realised(r, first, second)
				b.whole = whole()
				return b
			}})
		}
	}
	return all
}

// realised returns the benchmark of two published models, in random order.
func (s *scores) realised(r *rand.Rand, first, second string) *benchmark {
	b := s.order(r)
	for i, position := range b.cells {
		b.baseline[i] = s.byModel[first][position]
		b.differences[i], b.cells[i] = s.byModel[second][position]-b.baseline[i], position/lists
	}
	return b
}

func mean(x []float64) float64 {
	sum := 0.0
	for _, v := range x {
		sum += v
	}
	return sum / float64(len(x))
}
