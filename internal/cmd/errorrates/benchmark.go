package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
)

const (
	alpha     = .05
	threshold = .95 // of compare
	rope      = .02
)

// A benchmark is one draw of all items: the differences in planned order, block by block,
// with the baseline score and the cell of each.
type benchmark struct {
	differences []float64
	baseline    []float64
	cells       []int // nil if there is one cell
	block       int
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
	s := b.strata()
	if b.cells == nil {
		return mustValue(s.Posterior())
	}
	return mustValue(s.StratifiedPosterior())
}

// trueDecision returns the right decision for the mean of all items.
func (b *benchmark) trueDecision(rope float64) sequential.Decision {
	return ropeDecision(mean(b.differences), rope)
}

// ropeDecision returns the right decision for a mean and a ROPE. The edges belong to the ROPE.
func ropeDecision(m, rope float64) sequential.Decision {
	switch {
	case m > rope+1e-12:
		return sequential.Better
	case m < -rope-1e-12:
		return sequential.Worse
	}
	return sequential.Equivalent
}

// gateDecision returns the right decision of a gate for a mean.
func gateDecision(m, margin float64) sequential.Decision {
	if m < -margin-1e-12 {
		return sequential.Worse
	}
	return sequential.Pass
}

// emptyBenchmark returns n items of one cell without scores.
func emptyBenchmark(n int) *benchmark {
	return &benchmark{differences: make([]float64, n), baseline: make([]float64, n), block: 1}
}

// ropeTest returns the ROPE test in the scope of the benchmark.
func (b *benchmark) ropeTest(rope float64) *sequential.ROPETest {
	s := mustValue(sequential.NewROPETest(rope, alpha, len(b.differences)))
	must(s.SetBaseline(b.baseline))
	return s
}

// gate returns the gate in the scope of the benchmark.
func (b *benchmark) gate(margin float64) *sequential.Gate {
	g := mustValue(sequential.NewGate(margin, alpha, len(b.differences)))
	must(g.SetBaseline(b.baseline))
	return g
}

// A tester is a ROPE test or a gate.
type tester interface {
	Add(block []float64) (sequential.Decision, error)
	FinalLook(p sequential.Posterior) sequential.Decision
	N() int
}

// runBets adds blocks to a test until it decides, without the final look.
func (b *benchmark) runBets(t tester) sequential.Decision {
	for i := 0; i < len(b.differences); i += b.block {
		if d := mustValue(t.Add(b.differences[i : i+b.block])); d != sequential.Undecided {
			return d
		}
	}
	return sequential.Undecided
}

// runTest adds blocks to a test until it decides, and takes the final look if it does not.
func (b *benchmark) runTest(t tester) sequential.Decision {
	if d := b.runBets(t); d != sequential.Undecided {
		return d
	}
	return t.FinalLook(b.posterior())
}

// A population draws benchmarks with a given true mean difference.
type population struct {
	name string
	runs int // number of runs
	draw func(r *rand.Rand, delta float64) *benchmark
	// outright says that a few failures are the only differences.
	outright bool
}

// manyRuns and fewRuns are numbers of runs. A posterior of many different scores takes longer.
const manyRuns, fewRuns = 4000, 1000

// exactAnswers are right or wrong answers of two independent endpoints: the baseline is
// right with probability p, the other with p + delta.
func exactAnswers(p float64, n int) population {
	return population{name: fmt.Sprintf("exact answers, %g right, %d items", p, n), runs: manyRuns, draw: func(r *rand.Rand, delta float64) *benchmark {
		b := emptyBenchmark(n)
		for i := range b.differences {
			b.baseline[i] = indicator(r.Float64() < p)
			b.differences[i] = indicator(r.Float64() < p+delta) - b.baseline[i]
		}
		return b
	}}
}

// unevenItems are right or wrong answers to items of which some are always right and the
// others with probability p. The baseline has several trials, which are averaged.
func unevenItems(name string, always, p float64, trials, n int) population {
	return population{name: name, runs: manyRuns, draw: func(r *rand.Rand, delta float64) *benchmark {
		b := emptyBenchmark(n)
		for i := range b.differences {
			q, right := p, 0
			if r.Float64() < always {
				q = 1
			}
			for range trials {
				if r.Float64() < q {
					right++
				}
			}
			b.baseline[i] = float64(right) / float64(trials)
			b.differences[i] = indicator(r.Float64() < q+delta) - b.baseline[i]
		}
		return b
	}}
}

// outrightFailures are a baseline that is always right, and an endpoint that fails
// sometimes.
func outrightFailures(n int) population {
	return population{name: "failures outright, " + strconv.Itoa(n) + " items", runs: manyRuns, outright: true, draw: func(r *rand.Rand, delta float64) *benchmark {
		b := emptyBenchmark(n)
		for i := range b.differences {
			b.baseline[i] = 1
			b.differences[i] = -indicator(r.Float64() < -delta)
		}
		return b
	}}
}

// publishedPopulations are populations of published scores. Both endpoints draw one of the
// ten scores of model a in every cell. One of them draws from model b with the probability
// that gives the true difference. A block has an item of every length.
func publishedPopulations(s *scores) (all []population) {
	if s == nil {
		return nil
	}
	for _, pair := range [][2]string{{"Llama-3.1", "o3-mini"}, {"Claude-3.5-Haiku", "o3-mini"}, {"DeepSeek-r1", "GPT-4o"}} {
		a, b := s.byModel[pair[0]], s.byModel[pair[1]]
		gap := mean(b) - mean(a)
		all = append(all, population{name: pair[0] + " towards " + pair[1], runs: fewRuns, draw: func(r *rand.Rand, delta float64) *benchmark {
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

// order returns a benchmark without differences, whose cells are still indexes of lists. A
// block has one list of every length; otherwise the order is random.
func (s *scores) order(r *rand.Rand) *benchmark {
	n := len(s.lengths)
	b := emptyBenchmark(s.items())
	b.cells, b.block = make([]int, s.items()), n
	for length := range n {
		for i, k := range r.Perm(len(s.tasks) * lists) {
			b.cells[i*n+length] = s.index(k/lists, length, k%lists)
		}
	}
	return b
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
