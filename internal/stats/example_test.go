package stats_test

import (
	"fmt"

	"verbatim/internal/stats"
)

// Three runs answered the same 40 items. The second has five more right than the first,
// and the third only half of them.
func ExampleRankScores_Posterior() {
	v := stats.NewRankScores(3)
	for i := range 40 {
		x := []float64{score(i < 30), score(i < 35), score(i%2 == 0)}
		if err := v.Add(0, x); err != nil {
			fmt.Println(err)
			return
		}
	}
	j, err := v.Posterior(false, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	var leads [][]stats.RankPair
	for a := range 3 {
		leads = append(leads, nil)
		for b := range a {
			l, err := j.Compare(a, b)
			if err != nil {
				fmt.Println(err)
				return
			}
			leads[a] = append(leads[a], l)
			fmt.Printf("run %d is ahead of run %d with probability %.3f; p-value %.3f\n", a, b, l.Ahead, l.PValue)
		}
	}
	for run, s := range stats.RankIntervals(leads, 0.95) {
		fmt.Printf("run %d has a rank from %d to %d\n", run, s.Low, s.High)
	}
	// Output:
	// run 1 is ahead of run 0 with probability 0.993; p-value 0.062
	// run 2 is ahead of run 0 with probability 0.011; p-value 0.023
	// run 2 is ahead of run 1 with probability 0.000; p-value 0.000
	// run 0 has a rank from 1 to 2
	// run 1 has a rank from 1 to 2
	// run 2 has a rank from 3 to 3
}
