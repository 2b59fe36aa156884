package main

import (
	"fmt"
	"math/rand/v2"
	"strconv"

	"verbatim/internal/verdict"
)

// severalModels simulates compare on equal models that share a baseline.
func severalModels(l *simulator) section {
	s := section{title: "Several models compared with one baseline", text: `
All models are equal: each answer is right with the same probability. One of them is the baseline, and ` + "`compare`" + ` gives a verdict on every other. The figure is the probability of one or more “worse” or “better” in one output.

Without a correction it grows with the number of models. ` + "`compare`" + ` and the report correct the verdicts of one output by Holm's method. The stated rate is 5 % for all of them together.`}
	t := table{head: []string{"models", "items", "right", "posterior alone: some false verdict", "sign-flip test, no correction", "with Holm's correction"}}
	for _, models := range subset(l, 2, []int{3, 7, 12}) {
		for _, n := range subset(l, 2, []int{10, 20, 50, 200}) {
			for _, p := range subset(l, 2, []float64{.7, .9}) {
				verdicts := &pValueTable{n: n}
				e := l.repeat(fmt.Sprintf("several/%d/%d/%g", models, n, p), manyRuns, 3, func(r *rand.Rand, out []float64) {
					baseline := make([]bool, n)
					for i := range baseline {
						baseline[i] = r.Float64() < p
					}
					var list []*verdict.Comparison
					for range models - 1 {
						onlyA, onlyB := 0, 0
						for _, right := range baseline {
							switch again := r.Float64() < p; {
							case right && !again:
								onlyA++
							case again && !right:
								onlyB++
							}
						}
						c := verdicts.comparison(onlyA, onlyB)
						out[0] = max(out[0], indicator(c.Difference.Worse >= threshold || c.Difference.Better >= threshold))
						out[1] = max(out[1], indicator(c.P <= 1-threshold && !equivalent(c)))
						list = append(list, c)
					}
					verdict.Adjust(list)
					for _, c := range list {
						out[2] = max(out[2], indicator(c.Word.Settled() && !equivalent(c)))
					}
				})
				t.row(strconv.Itoa(models), strconv.Itoa(n), fmt.Sprintf("%g", p), e[0].String(), e[1].String(), e[2].String())
				s.atMost(fmt.Sprintf("compare, %d equal models, %d items, %g right: some false verdict", models, n, p), e[2], alpha)
			}
		}
	}
	s.tables = []table{t}
	return s
}

// equivalent reports whether the most probable word of a comparison is equivalent.
func equivalent(c *verdict.Comparison) bool {
	d := &c.Difference
	return d.Equivalent >= d.Worse && d.Equivalent >= d.Better
}
