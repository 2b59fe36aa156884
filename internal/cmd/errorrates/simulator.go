package main

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"sync"
)

// A simulator repeats simulated runs.
type simulator struct {
	workers int
	short   bool    // fewer settings, and fewer runs of each
	scores  *scores // nil without published scores
}

// batchSize is the number of runs that share one stream of random numbers.
const batchSize = 50

// runs returns the number of runs: full, or fewer in the short form.
func (l *simulator) runs(full int) int {
	if l.short {
		return min(full, max(50, full/20))
	}
	return full
}

// subset returns all settings of a list; in the short form the first one and each step-th after it.
func subset[T any](l *simulator, step int, all []T) []T {
	if !l.short {
		return all
	}
	var few []T
	for i := 0; i < len(all); i += step {
		few = append(few, all[i])
	}
	return few
}

// An estimate is the mean over runs, with its Monte Carlo error.
type estimate struct {
	mean, se float64
	runs     int
	share    bool // every run gave 0 or 1
}

// repeat makes about full runs and returns the mean of each of the width numbers that a
// run writes. Each batch has its own stream of random numbers, seeded by the name and the
// index of the batch, and batches are added in order. So the result depends only on the
// name and the number of runs. Use different names for independent runs, and the same name
// to compare methods on the same data.
func (l *simulator) repeat(name string, full, width int, one func(r *rand.Rand, out []float64)) []estimate {
	runs := l.runs(full)
	batches := make([][]moments, (runs+batchSize-1)/batchSize)
	work := make(chan int)
	var wait sync.WaitGroup
	for range max(1, l.workers) {
		wait.Go(func() {
			for k := range work {
				m := make([]moments, width)
				r, out := stream(name, k), make([]float64, width)
				for range min(batchSize, runs-k*batchSize) {
					clear(out)
					one(r, out)
					for i, v := range out {
						m[i].add(v)
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
	all := make([]estimate, width)
	for i := range all {
		var m moments
		for _, p := range batches {
			m.join(p[i])
		}
		all[i] = m.estimate()
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

// indicator returns 1 if a condition holds, otherwise 0. Its mean over runs is a share.
func indicator(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
