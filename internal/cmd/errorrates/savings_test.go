package main

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"verbatim/internal/stats/sequential"
)

// What stopping early saves on published scores is what another program found, for
// bets that do not use the baseline's scores, and not less for those that do.
func TestSavingsAreThosePublished(t *testing.T) {
	dir := scoresDir(t)
	s, err := readScores(dir)
	if err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(filepath.Join(dir, "stats", "seqsim_real.csv"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	l, found := &simulator{workers: 2}, 0
	for _, row := range rows[1:] {
		pair, method := strings.Split(row[0], ">"), row[3]
		want, err := strconv.ParseFloat(row[8], 64)
		if err != nil {
			t.Fatal(err)
		}
		items := 0
		switch method {
		case "betting, finite benchmark, block 8":
			items = s.items()
		case "betting, superpopulation, block 8":
		default:
			continue
		}
		found++
		e := l.repeat(row[0], 40, 2, func(r *rand.Rand, out []float64) {
			b := s.realised(r, pair[0], pair[1])
			plain := mustValue(sequential.NewROPETest(rope, alpha, items))
			b.runBets(plain)
			out[0] = float64(plain.N())
			if items > 0 {
				known := b.ropeTest(rope)
				b.runBets(known)
				out[1] = float64(known.N() - plain.N())
			}
		})
		// Theirs is a mean of 1,000 orders, 25 times as many; some of them stop early
		// where none of these does.
		if math.Abs(e[0].mean-want) > 4*e[0].se*math.Sqrt(1+1./25)+5 {
			t.Errorf("%s, %s: %.0f ± %.0f items, another program found %.0f", row[0], method, e[0].mean, e[0].se, want)
		}
		if e[1].mean > 4*e[1].se+1 {
			t.Errorf("%s: the baseline's scores cost %.1f ± %.1f items", row[0], e[1].mean, e[1].se)
		}
	}
	if found != 42 {
		t.Errorf("%d rows were compared, of 21 pairs in two scopes", found)
	}
}
