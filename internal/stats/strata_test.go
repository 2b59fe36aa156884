package stats_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"verbatim/internal/oracle"
	"verbatim/internal/stats"
)

// Standard errors of all pairs of published runs, to the digits printed.
func TestStandardErrorsOfTheOracle(t *testing.T) {
	c, n := readCells(t), 0
	for _, row := range oracle.Rows(t, "stats/paired_se.csv") {
		s := c.pair(t, row["a"], row["b"], 0)
		task := make(map[string]int)
		byTask := s.Merge(func(cell int) int {
			name := c.Cells[cell][0].(string)
			if _, ok := task[name]; !ok {
				task[name] = len(task)
			}
			return task[name]
		})
		var clusters []stats.Moments
		for _, cell := range byTask.Cells() {
			clusters = append(clusters, byTask.Cell(cell))
		}
		iid, ok1 := s.SE(false)
		stratified, ok2 := s.SE(true)
		cluster, ok3 := stats.ClusterRobust(clusters, 0.95)
		if !ok1 || !ok2 || !ok3 || cluster.Clusters != 18 || !s.Balanced() || s.HasSingletons() {
			t.Fatalf("%s, %s: %v %v %v, %d clusters", row["a"], row["b"], ok1, ok2, ok3, cluster.Clusters)
		}
		for column, got := range map[string]float64{
			"mean": s.Total().Mean, "se_iid": iid, "se_stratified": stratified, "se_cluster_type": cluster.SE,
		} {
			if math.Abs(got-number(t, row[column])) > 5.1e-7 {
				t.Errorf("%s, %s: %s is %.7f, want %s", row["a"], row["b"], column, got, row[column])
			}
		}
		if math.Abs(cluster.Mean-s.Total().Mean) > 1e-14 {
			t.Errorf("clusters have the mean %v, the differences %v", cluster.Mean, s.Total().Mean)
		}
		n++
	}
	if n != 21 {
		t.Errorf("%d rows of 21", n)
	}
}

// byCell draws differences, with ties, and their cells.
func byCell(t *rapid.T) (cells []int, d []float64) {
	for range rapid.IntRange(1, 40).Draw(t, "n") {
		cells = append(cells, rapid.IntRange(-1, 3).Draw(t, "cell"))
		d = append(d, rapid.OneOf(
			rapid.Float64Range(-1, 1),
			rapid.Map(rapid.IntRange(-1, 1), func(i int) float64 { return float64(i) }),
		).Draw(t, "d"))
	}
	return cells, d
}

func TestStrataProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cells, d := byCell(t)
		var s, mirrored stats.Strata
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "order"), 0))
		order := r.Perm(len(d))
		for i := range d {
			add(t, &s, cells[i], d[i])
			add(t, &mirrored, cells[order[i]], -d[order[i]])
		}
		for _, cell := range s.Cells() {
			var of []float64
			for i := range d {
				if cells[i] == cell {
					of = append(of, d[i])
				}
			}
			if got, want := s.Cell(cell), moments(of); !near(got, want, 1e-12) {
				t.Fatalf("cell %d of %v, %v: %+v, want %+v", cell, cells, d, got, want)
			}
		}
		total := s.Total()
		if !near(total, moments(d), 1e-12) {
			t.Fatalf("%v: %+v, want %+v", d, total, moments(d))
		}
		plain := s.Merge(func(int) int { return 0 })
		if !near(plain.Cell(0), total, 1e-12) || len(plain.Cells()) != 1 {
			t.Fatalf("merged %+v, total %+v", plain.Cell(0), total)
		}

		for _, stratified := range []bool{false, true} {
			from := (*stats.Strata).Posterior
			if stratified {
				from = (*stats.Strata).StratifiedPosterior
			}
			p, err := from(&s)
			m, merr := from(&mirrored)
			if s.HasSingletons() && stratified {
				if !errors.Is(err, stats.ErrSingleton) || !errors.Is(merr, stats.ErrSingleton) {
					t.Fatal(err, merr)
				}
				continue
			}
			if err != nil || merr != nil {
				t.Fatal(err, merr)
			}
			three, ends := p.Probabilities(0.02), p.Interval(0.95)
			if got := m.Probabilities(0.02); !alike(got, stats.Probabilities{Worse: three.Better, Equivalent: three.Equivalent, Better: three.Worse}, 1e-10) {
				t.Fatalf("mirrored %+v is %+v", three, got)
			}
			if got := m.Interval(0.95); math.Abs(got.Low+ends.High) > 1e-7 || math.Abs(got.High+ends.Low) > 1e-7 {
				t.Fatalf("mirrored %+v is %+v", ends, got)
			}
			if !(ends.Low < ends.High && ends.Low <= total.Mean && total.Mean <= ends.High) {
				t.Fatalf("%v around %v", ends, total.Mean)
			}
			se, ok := s.SE(stratified)
			if ok != (len(d) > 1) || !(se >= 0) {
				t.Fatalf("standard error %v, %v", se, ok)
			}
		}
	})
}

func moments(d []float64) stats.Moments {
	m := stats.Moments{N: int64(len(d))}
	for _, x := range d {
		m.Mean += x / float64(len(d))
	}
	for _, x := range d {
		m.SD += (x - m.Mean) * (x - m.Mean)
	}
	if m.SD = math.Sqrt(m.SD / float64(len(d)-1)); len(d) < 2 {
		m.SD = 0
	}
	return m
}

func near(a, b stats.Moments, tol float64) bool {
	return a.N == b.N && math.Abs(a.Mean-b.Mean) <= tol && math.Abs(a.SD-b.SD) <= 1e3*tol
}

// Whatever the order, the same differences give the same numbers to the last bit.
func TestStrataOrder(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	d := make([]float64, 500)
	for i := range d {
		d[i] = r.Float64() - 0.5
	}
	var want stats.Probabilities
	var se float64
	for try := range 5 {
		var s stats.Strata
		for _, i := range r.Perm(len(d)) {
			add(t, &s, i%7, d[i])
		}
		p, err := s.StratifiedPosterior()
		if err != nil {
			t.Fatal(err)
		}
		three := p.Probabilities(0.01)
		e, _ := s.SE(true)
		if try > 0 && (three != want || e != se) {
			t.Errorf("%+v, %v after %+v, %v", three, e, want, se)
		}
		want, se = three, e
	}
}

// A posterior's variance is that of the estimator, but for what the anchors add.
func TestStratifiedVariance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	var s stats.Strata
	for i := range 20000 {
		cell := i % 4
		add(t, &s, cell, float64(cell)/10+0.05*r.NormFloat64())
	}
	se, _ := s.SE(true)
	plain, _ := s.SE(false)
	p, err := s.StratifiedPosterior()
	if err != nil {
		t.Fatal(err)
	}
	ends := p.Interval(0.95)
	if got := (ends.High - ends.Low) / (2 * 1.959964); math.Abs(got/se-1) > 0.03 || plain < 2*se {
		t.Errorf("half a width of %v standard normal ones, standard error %v stratified, %v plain", got, se, plain)
	}
}

func TestStrataEdges(t *testing.T) {
	var s stats.Strata
	if _, err := s.Posterior(); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("nothing: %v", err)
	}
	if _, err := s.StratifiedPosterior(); !errors.Is(err, stats.ErrNoData) {
		t.Errorf("nothing, stratified: %v", err)
	}
	if s.Total() != (stats.Moments{}) || s.Cell(3) != (stats.Moments{}) || s.Cells() != nil || s.HasSingletons() || !s.Balanced() {
		t.Errorf("nothing: %+v, %v", s.Total(), s.Cells())
	}
	for _, d := range []float64{math.NaN(), math.Inf(1), math.Inf(-1), 1e101} {
		var bad *stats.BadValue
		if err := s.Add(0, d); !errors.As(err, &bad) || s.Total().N != 0 {
			t.Errorf("%v: %v", d, err)
		}
	}
	add(t, &s, 2, 0.5)
	if _, ok := s.SE(false); ok || !s.HasSingletons() || !s.Balanced() || s.Total() != (stats.Moments{N: 1, Mean: 0.5}) {
		t.Errorf("one: %+v", s.Total())
	}
	add(t, &s, -1, 0, math.Copysign(0, -1))
	if s.Balanced() || !s.HasSingletons() || !slices.Equal(s.Cells(), []int{-1, 2}) {
		t.Errorf("two cells: %v", s.Cells())
	}
	if _, ok := s.SE(true); ok {
		t.Error("a standard error within a lone cell")
	}
	add(t, &s, 2, 0.5)
	if s.HasSingletons() || !s.Balanced() {
		t.Error("two and two")
	}
	if _, err := s.StratifiedPosterior(); err != nil {
		t.Error(err)
	}
}

// With more values than are kept, moments are as before and probabilities nearly.
func TestStrataInBins(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	var s, few, beyond stats.Strata
	var all []float64
	for i := range 40000 {
		d := 0.001 + 0.1*r.NormFloat64()
		if i%4 == 0 {
			d = 0
		}
		all = append(all, d)
		add(t, &s, i%8, d)
		// The same on a grid so fine that nothing below shows the difference, with few
		// enough values to be saved.
		add(t, &few, i%8, math.Round(d*16000)/16000)
		add(t, &beyond, i%2, 20*d)
	}
	if got := s.Total(); !near(got, moments(all), 1e-13) {
		t.Errorf("%+v, want %+v", got, moments(all))
	}
	if got, want := s.Merge(func(cell int) int { return cell % 2 }).Total(), s.Total(); !near(got, want, 1e-13) {
		t.Errorf("merged %+v, want %+v", got, want)
	}
	for i := range all {
		all[i] *= 20
	}
	if got := beyond.Total(); !near(got, moments(all), 1e-12) {
		t.Errorf("far out %+v, want %+v", got, moments(all))
	}
	for name, from := range map[string]func(*stats.Strata) (*stats.Posterior, error){
		"plain": (*stats.Strata).Posterior, "stratified": (*stats.Strata).StratifiedPosterior,
	} {
		got, err := from(&s)
		want, werr := from(&few)
		if err != nil || werr != nil {
			t.Fatal(err, werr)
		}
		for _, c := range []float64{0, 0.0005, 0.001} {
			if math.Abs(got.Above(c)-want.Above(c)) > 1e-3 {
				t.Errorf("%s: P(mean > %v) = %v in bins, %v without", name, c, got.Above(c), want.Above(c))
			}
		}
		g, w := got.Interval(0.95), want.Interval(0.95)
		if gw, ww := g.High-g.Low, w.High-w.Low; math.Abs(gw/ww-1) > 1e-4 {
			t.Errorf("%s: %v in bins, %v without", name, g, w)
		}
	}
}

// Ten of a hundred pairs are right on the first side only, three on the second; the
// figures were computed by another program.
func ExampleStrata() {
	var s stats.Strata
	for i := range 100 {
		d := 0.0
		switch {
		case i < 10:
			d = -1
		case i < 13:
			d = 1
		}
		if err := s.Add(0, d); err != nil {
			fmt.Println(err)
		}
	}
	p, err := s.Posterior()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("mean %.2f, P(worse) %.7f\n", s.Total().Mean, p.Probabilities(0.02).Worse)
	// Output: mean -0.07, P(worse) 0.9204725
}

// What two cells differ by, 0.3 here, says nothing of fresh items in the same cells:
// by hand √(0.15² + 0.0287²)/√199 against 0.0287/√198.
func ExampleStrata_StratifiedPosterior() {
	var s stats.Strata
	for i := range 200 {
		cell := i % 2
		if err := s.Add(cell, 0.3*float64(cell)+0.01*float64(i/2%10)); err != nil {
			fmt.Println(err)
		}
	}
	plain, _ := s.SE(false)
	within, _ := s.SE(true)
	fmt.Printf("standard error %.4f, within the cells %.4f\n", plain, within)
	// Output: standard error 0.0108, within the cells 0.0020
}

// Of 20 lists sorted, none differed: that leaves room for 2 % either way, since 1
// list of 50 that differs would go unseen two times in three.
func ExampleStrata_Posterior() {
	var s stats.Strata
	for range 20 {
		if err := s.Add(0, 0); err != nil {
			fmt.Println(err)
		}
	}
	p, err := s.Posterior()
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.7f\n", p.Probabilities(0.02))
	// Output: {0.2308966 0.5382068 0.2308966}
}
