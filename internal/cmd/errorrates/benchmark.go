package main

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strconv"

	"verbatim/internal/stats"
	"verbatim/internal/stats/sequential"
)

// A benchmark is one draw of all its items: the differences in planned order, block
// by block, with the score of the baseline and the cell of each.
type benchmark struct {
	d     []float64
	a     []float64
	cells []int // nil where items are all alike
	block int
}

// posterior of all items, as compare would find it.
func (b *benchmark) posterior() *stats.Posterior {
	if b.cells == nil {
		return anchored(b.d)
	}
	var s stats.Strata
	for i, d := range b.d {
		must(s.Add(b.cells[i], d))
	}
	return sure(s.StratifiedPosterior())
}

// word is what the mean of all items is called, for a ROPE.
func (b *benchmark) word(rope float64) sequential.Decision { return wordOf(mean(b.d), rope) }

// wordOf a mean, for a ROPE to which its edges belong.
func wordOf(m, rope float64) sequential.Decision {
	switch {
	case m > rope+1e-12:
		return sequential.Better
	case m < -rope-1e-12:
		return sequential.Worse
	}
	return sequential.Equivalent
}

// gateWord is what a mean is for a gate.
func gateWord(m, margin float64) sequential.Decision {
	if m < -margin-1e-12 {
		return sequential.Worse
	}
	return sequential.Pass
}

// empty returns a benchmark of n items that are all alike and wait for their scores.
func empty(n int) *benchmark {
	return &benchmark{d: make([]float64, n), a: make([]float64, n), block: 1}
}

// sequential is the test of a ROPE in the scope of the benchmark.
func (b *benchmark) sequential(rope float64) *sequential.ROPETest {
	s := sure(sequential.NewROPETest(rope, alpha, len(b.d)))
	must(s.SetBaseline(b.a))
	return s
}

// gate is the one in the scope of the benchmark.
func (b *benchmark) gate(margin float64) *sequential.Gate {
	g := sure(sequential.NewGate(margin, alpha, len(b.d)))
	must(g.SetBaseline(b.a))
	return g
}

// A tester is a sequential test or a gate.
type tester interface {
	Add(block []float64) (sequential.Decision, error)
	FinalLook(p sequential.Posterior) sequential.Decision
	N() int
}

// bet gives a test the blocks until it decides, if it ever does.
func (b *benchmark) bet(t tester) sequential.Decision {
	for i := 0; i < len(b.d); i += b.block {
		if d := sure(t.Add(b.d[i : i+b.block])); d != sequential.Undecided {
			return d
		}
	}
	return sequential.Undecided
}

// feed is bet and, where that ends undecided, the last look.
func (b *benchmark) feed(t tester) sequential.Decision {
	if d := b.bet(t); d != sequential.Undecided {
		return d
	}
	return t.FinalLook(b.posterior())
}

// A population draws benchmarks of a true mean difference.
type population struct {
	name string
	runs int // how many are enough: fewer where a posterior of many different scores costs more
	draw func(r *rand.Rand, delta float64) *benchmark
	// discrete is whether a few failures are all that differs.
	discrete bool
}

// cheap and costly are such numbers of runs.
const cheap, costly = 4000, 1000

// exact is right or wrong answers of two endpoints that know nothing of each other: the
// baseline is right with probability p, the other with p + delta.
func exact(p float64, n int) population {
	return population{name: fmt.Sprintf("exact answers, %g right, %d items", p, n), runs: cheap, draw: func(r *rand.Rand, delta float64) *benchmark {
		b := empty(n)
		for i := range b.d {
			b.a[i] = one(r.Float64() < p)
			b.d[i] = one(r.Float64() < p+delta) - b.a[i]
		}
		return b
	}}
}

// uneven is exact answers to items of which some are always right and the others
// with probability p, and a baseline that was asked each item several times, its
// answers averaged.
func uneven(name string, always, p float64, trials, n int) population {
	return population{name: name, runs: cheap, draw: func(r *rand.Rand, delta float64) *benchmark {
		b := empty(n)
		for i := range b.d {
			q, right := p, 0
			if r.Float64() < always {
				q = 1
			}
			for range trials {
				if r.Float64() < q {
					right++
				}
			}
			b.a[i] = float64(right) / float64(trials)
			b.d[i] = one(r.Float64() < q+delta) - b.a[i]
		}
		return b
	}}
}

// outright is a baseline that is always right, and an endpoint that fails now and then.
func outright(n int) population {
	return population{name: "failures outright, " + strconv.Itoa(n) + " items", runs: cheap, discrete: true, draw: func(r *rand.Rand, delta float64) *benchmark {
		b := empty(n)
		for i := range b.d {
			b.a[i] = 1
			b.d[i] = -one(r.Float64() < -delta)
		}
		return b
	}}
}

// families are populations of published scores: both endpoints give an independent
// draw of the ten scores of model a in every cell, and one of them, with the
// probability that makes the difference, one of model b's. A block holds an item of
// every length.
func families(s *scores) (all []population) {
	if s == nil {
		return nil
	}
	for _, pair := range [][2]string{{"Llama-3.1", "o3-mini"}, {"Claude-3.5-Haiku", "o3-mini"}, {"DeepSeek-r1", "GPT-4o"}} {
		a, b := s.of[pair[0]], s.of[pair[1]]
		gap := mean(b) - mean(a)
		all = append(all, population{name: pair[0] + " towards " + pair[1], runs: costly, draw: func(r *rand.Rand, delta float64) *benchmark {
			m := s.order(r)
			for i, place := range m.cells {
				cell := place / lists * lists
				first, second := a[cell+r.IntN(lists)], a[cell+r.IntN(lists)]
				if r.Float64() < math.Abs(delta)/gap {
					second = b[cell+r.IntN(lists)]
				}
				if delta < 0 {
					first, second = second, first
				}
				m.a[i], m.d[i], m.cells[i] = first, second-first, cell/lists
			}
			return m
		}})
	}
	return all
}

// order returns a benchmark without differences, whose cells are still the places of
// the lists, one of every length in a block, otherwise at random.
func (s *scores) order(r *rand.Rand) *benchmark {
	n := len(s.lengths)
	b := empty(s.items())
	b.cells, b.block = make([]int, s.items()), n
	for length := range n {
		for i, k := range r.Perm(len(s.tasks) * lists) {
			b.cells[i*n+length] = s.place(k/lists, length, k%lists)
		}
	}
	return b
}

// realised is the benchmark that two published models make, in random order.
func (s *scores) realised(r *rand.Rand, first, second string) *benchmark {
	b := s.order(r)
	for i, place := range b.cells {
		b.a[i] = s.of[first][place]
		b.d[i], b.cells[i] = s.of[second][place]-b.a[i], place/lists
	}
	return b
}
