package change

import "fmt"

// stakeShares are the shares of the largest possible stake that a Share and a Watch bet.
var stakeShares = [...]float64{.1, .25, .5, .8}

// maxStake bounds a stake, so that products never overflow. It is far above any threshold.
const maxStake = 1e100

// A Share is the e-process against the null hypothesis that each trial differs with
// probability u at most, whatever the trials before it were. Trials need not be
// independent.
type Share struct {
	u      float64
	stakes [len(stakeShares)]float64
}

// NewShare returns an e-process of value 1 for a share u between 0 and 1, both excluded.
func NewShare(u float64) (*Share, error) {
	if !(u > 0 && u < 1) {
		return nil, fmt.Errorf("change: the share must be above 0 and below 1, got %v", u)
	}
	s := &Share{u: u}
	for k := range s.stakes {
		s.stakes[k] = 1
	}
	return s, nil
}

// Add settles the bets on one trial.
func (s *Share) Add(differs bool) { settle(&s.stakes, s.u, differs) }

// Value returns the e-process after the last trial, 1 before the first.
func (s *Share) Value() float64 { return mean(s.stakes) }

// settle multiplies each stake with 1 + f/u·(y - u), where y is 1 for a trial that differs.
func settle(stakes *[len(stakeShares)]float64, u float64, differs bool) {
	y := 0.0
	if differs {
		y = 1
	}
	for k, f := range stakeShares {
		stakes[k] = min(stakes[k]*(1+f/u*(y-u)), maxStake)
	}
}

func mean(stakes [len(stakeShares)]float64) float64 {
	sum := 0.0
	for _, x := range stakes {
		sum += x
	}
	return sum / float64(len(stakes))
}
