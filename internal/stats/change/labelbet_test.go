package change

import (
	"math"
	"testing"
)

// Under the null hypothesis each of the splits of the replies is equally probable, and the mean of
// a bet is 1.
func TestLabelBetMean(t *testing.T) {
	for _, r := range []int{1, 2, 4, 7, 14} {
		for all := 0; all <= 2*r; all++ {
			meanA, meanB := 0.0, 0.0
			for onA := max(0, all-r); onA <= min(r, all); onA++ {
				p := math.Exp(logChoose(r, onA) + logChoose(r, all-onA) - logChoose(2*r, all))
				a, b := LabelBet(r, onA, all-onA)
				meanA, meanB = meanA+p*a, meanB+p*b
			}
			if math.Abs(meanA-1) > 1e-9 || math.Abs(meanB-1) > 1e-9 {
				t.Errorf("%d replies a side, %d of the class: the means are %v and %v", r, all, meanA, meanB)
			}
		}
	}
}

func TestLabelBet(t *testing.T) {
	for _, c := range []struct {
		r, onA, onB int
		a, b        float64
	}{
		{4, 0, 0, 1, 1},
		{4, 4, 4, 1, 1},
		{1, 0, 1, 2. / 101, 200. / 101},
		{2, 2, 0, 60000. / 10401, 6. / 10401}, // of 6 splits 1, 4 and 1 have 2, 1 and 0 on side A
	} {
		a, b := LabelBet(c.r, c.onA, c.onB)
		if math.Abs(a-c.a) > 1e-9*c.a || math.Abs(b-c.b) > 1e-9*c.b {
			t.Errorf("%+v: %v and %v", c, a, b)
		}
	}
	if _, b := LabelBet(7, 0, 5); b < .85*2002/21 || b > 2002./21 { // 14 over 5, 7 over 5
		t.Errorf("the bet on the only side that varies pays %v", b)
	}
}
