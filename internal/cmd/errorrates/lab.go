package main

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sync"
)

// A lab repeats simulated runs.
type lab struct {
	workers int
	short   bool    // fewer settings, and fewer runs of each
	scores  *scores // nil where the published ones are not here
}

// portion is how many runs share one stream of random numbers.
const portion = 50

// runs returns how many runs stand for a full number of them.
func (l *lab) runs(full int) int {
	if l.short {
		return min(full, max(50, full/20))
	}
	return full
}

// some returns all settings of a list, or, for the short form, the first and
// those at every step from it.
func some[T any](l *lab, step int, all []T) []T {
	if !l.short {
		return all
	}
	var few []T
	for i := 0; i < len(all); i += step {
		few = append(few, all[i])
	}
	return few
}

// An estimate is the mean of what runs came to, with its Monte Carlo error.
type estimate struct {
	mean, se float64
	runs     int
	share    bool // whether each run gave 0 or 1
}

// repeat makes about full runs (see runs) and returns the mean of each of the width
// numbers that a run writes. The runs of a portion draw from a stream of their own,
// seeded by the name and the portion's place, and portions are added up in order, so
// that the result depends on the name and the number alone. Names must differ where
// runs are to be independent, and be the same where methods are to meet the same
// data.
func (l *lab) repeat(name string, full, width int, one func(r *rand.Rand, out []float64)) []estimate {
	runs := l.runs(full)
	portions := make([][]moments, (runs+portion-1)/portion)
	work := make(chan int)
	var wait sync.WaitGroup
	for range max(1, l.workers) {
		wait.Go(func() {
			for k := range work {
				m := make([]moments, width)
				r, out := stream(name, k), make([]float64, width)
				for range min(portion, runs-k*portion) {
					clear(out)
					one(r, out)
					for i, v := range out {
						m[i].add(v)
					}
				}
				portions[k] = m
			}
		})
	}
	for k := range portions {
		work <- k
	}
	close(work)
	wait.Wait()
	all := make([]estimate, width)
	for i := range all {
		var m moments
		for _, p := range portions {
			m.join(p[i])
		}
		all[i] = m.estimate()
	}
	return all
}

// stream returns the random numbers of one portion.
func stream(name string, k int) *rand.Rand {
	return rand.New(rand.NewChaCha8(sha256.Sum256(binary.BigEndian.AppendUint64([]byte(name+"\x00"), uint64(k)))))
}

// moments are the sums that a mean and its error need.
type moments struct {
	n, sum, squares float64
	fraction        bool // whether a value was neither 0 nor 1
}

func (m *moments) add(v float64) {
	m.n++
	m.sum += v
	m.squares += v * v
	m.fraction = m.fraction || v != 0 && v != 1
}

func (m *moments) join(o moments) {
	m.n += o.n
	m.sum += o.sum
	m.squares += o.squares
	m.fraction = m.fraction || o.fraction
}

func (m *moments) estimate() estimate {
	mean := m.sum / m.n
	variance := max(0, m.squares/m.n-mean*mean)
	return estimate{mean: mean, se: math.Sqrt(variance / m.n), runs: int(m.n), share: !m.fraction}
}

// one is 1 where something is the case, for means that are shares.
func one(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
