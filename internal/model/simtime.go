package model

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"verbatim"
)

// firstWord draws the time until the first word: log-normal around the median.
func (k *simKnobs) firstWord(luck *rand.Rand) time.Duration {
	z := luck.NormFloat64()
	if k.latency == 0 {
		return 0
	}
	return time.Duration(min(float64(k.latency)*math.Exp(k.spread*z), float64(24*time.Hour)))
}

// tell takes the time that saying it takes, and says when what was said. A model
// that is not to take any has no times but the start: that of our own reckoning
// would be no model's, and another one every time.
func (s *sim) tell(ctx context.Context, start time.Time, first time.Duration, said simSaid) (verbatim.Times, error) {
	if s.knobs.latency == 0 && s.knobs.rate == 0 {
		return verbatim.Times{Start: start}, nil
	}
	if err := simSleep(ctx, first); err != nil {
		return verbatim.Times{}, err
	}
	var at struct{ first, content time.Duration }
	at.first = time.Since(start)
	times := verbatim.Times{Start: start, FirstByte: &at.first}
	if said.reasoning != "" {
		times.FirstReasoning = &at.first
		if err := simSleep(ctx, s.knobs.writing(said.reasoning)); err != nil {
			return verbatim.Times{}, err
		}
	}
	if said.text != "" {
		at.content = time.Since(start)
		times.FirstContent = &at.content
		if err := simSleep(ctx, s.knobs.writing(said.text)); err != nil {
			return verbatim.Times{}, err
		}
	}
	times.Total = time.Since(start)
	return times, nil
}

// writing returns how long it takes to write a text.
func (k *simKnobs) writing(text string) time.Duration {
	if k.rate == 0 {
		return 0
	}
	return time.Duration(float64(simTokens(len(text))) / k.rate * float64(time.Second))
}

// simSleep waits, or returns the error of a context that ends first.
func simSleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return nil
	}
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
