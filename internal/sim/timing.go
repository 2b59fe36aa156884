package sim

import (
	"context"
	"math"
	"math/rand/v2"
	"time"

	"verbatim"
)

// firstToken draws the time until the first word: log-normal around the median.
func (k *settings) firstToken(luck *rand.Rand) time.Duration {
	z := luck.NormFloat64()
	if k.latency == 0 {
		return 0
	}
	return time.Duration(min(float64(k.latency)*math.Exp(k.spread*z), float64(24*time.Hour)))
}

// wait takes the time in which a model writes an answer, and returns the times of its parts. Without a
// latency and a rate there is only the start: the time of this program would be another one in every run.
func (s *model) wait(ctx context.Context, start time.Time, first time.Duration, a answer) (verbatim.Times, error) {
	if s.settings.latency == 0 && s.settings.rate == 0 {
		return verbatim.Times{Start: start}, nil
	}
	if err := sleep(ctx, first); err != nil {
		return verbatim.Times{}, err
	}
	var at struct{ first, content time.Duration }
	at.first = time.Since(start)
	times := verbatim.Times{Start: start, FirstByte: &at.first}
	if a.reasoning != "" {
		times.FirstReasoning = &at.first
		if err := sleep(ctx, s.settings.writingTime(a.reasoning)); err != nil {
			return verbatim.Times{}, err
		}
	}
	if a.text != "" {
		at.content = time.Since(start)
		times.FirstContent = &at.content
		if err := sleep(ctx, s.settings.writingTime(a.text)); err != nil {
			return verbatim.Times{}, err
		}
	}
	times.Total = time.Since(start)
	return times, nil
}

// writingTime returns how long it takes to write a text.
func (k *settings) writingTime(text string) time.Duration {
	if k.rate == 0 {
		return 0
	}
	return time.Duration(float64(tokens(len(text))) / k.rate * float64(time.Second))
}

// sleep waits, or returns the error of a context that ends first.
func sleep(ctx context.Context, d time.Duration) error {
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
