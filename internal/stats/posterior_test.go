package stats_test

import (
	"encoding/json"
	"math"
	"os"
	"testing"

	"verbatim/internal/stats"
)

// cells are the scores of the published runs by cell, model and item.
type cells struct {
	Cells [][2]any               `json:"cells"` // task, length
	V     map[string][][]float64 `json:"v"`
}

func readCells(t testing.TB) cells {
	t.Helper()
	data, err := os.ReadFile(oracle(t, "stats/cells.json"))
	if err != nil {
		t.Fatal(err)
	}
	var c cells
	if err := json.Unmarshal(data, &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// names translates the names of the CSV files into those of the cells.
func (c cells) pair(t testing.TB, a, b string, length int) *stats.Strata {
	t.Helper()
	s := new(stats.Strata)
	for i, cell := range c.Cells {
		if length != 0 && int(cell[1].(float64)) != length {
			continue
		}
		for j, x := range c.V[a][i] {
			if err := s.Add(i, c.V[b][i][j]-x); err != nil {
				t.Fatal(err)
			}
		}
	}
	return s
}

// Posterior means, intervals and probabilities of all pairs of published runs.
func TestPosteriorOfTheOracle(t *testing.T) {
	c, n := readCells(t), 0
	near := func(row map[string]string, column string, got, tol float64) {
		t.Helper()
		if want := number(t, row[column]); !(math.Abs(got-want) <= tol) {
			t.Errorf("%s %s against %s, %s: %s is %.8f, want %s", row["scope"], row["b"], row["a"], row["mode"], column, got, row[column])
		}
	}
	for _, row := range rows(t, "stats/compare_ref.csv") {
		s := c.pair(t, row["a"], row["b"], int(number(t, row["scope"])))
		post, err := s.Posterior()
		if row["mode"] == "stratified" {
			post, err = s.Stratified()
		}
		if err != nil {
			t.Fatal(err)
		}
		m := s.Total()
		if m.N != int64(number(t, row["n"])) {
			t.Errorf("%d pairs, want %s", m.N, row["n"])
		}
		three, ends := post.Three(number(t, row["rho"])), post.Interval(0.95)
		near(row, "mean_b_minus_a", m.Mean, 1e-6)
		near(row, "p_worse", three.Worse, 1e-6)
		near(row, "p_equiv", three.Equivalent, 1e-6)
		near(row, "p_better", three.Better, 1e-6)
		near(row, "lo95", ends.Low, 1e-5)
		near(row, "hi95", ends.High, 1e-5)
		n++
	}
	if n != 168 {
		t.Errorf("%d rows of 168", n)
	}
}
