package pace

import (
	"context"
	"sync"
	"testing"

	"verbatim"
	"verbatim/internal/recordtest"
)

// BenchmarkAsk is the cost of the way through the gate, at no latency.
func BenchmarkAsk(b *testing.B) {
	for _, c := range []struct {
		name    string
		config  Config
		workers int
	}{
		{"bare", Config{}, 0},
		{"fixed", Config{Attempts: 5, Concurrency: 16}, 16},
		{"fixed, waiting", Config{Attempts: 5, Concurrency: 16}, 64},
		{"adaptive", Config{Attempts: 5, Concurrency: 64, Adaptive: true}, 64},
		{"budget", Config{Attempts: 5, Concurrency: 16, Price: &verbatim.Price{Output: 1e6}, Budget: NewBudget(1e18, 0)}, 16},
	} {
		b.Run(c.name, func(b *testing.B) {
			m := verbatim.Model(modelFunc(func(context.Context, verbatim.Request) (verbatim.Reply, error) { return verbatim.Reply{}, nil }))
			if c.workers > 0 {
				m = New(c.config).Wrap(m)
			}
			var group sync.WaitGroup
			b.ReportAllocs()
			b.ResetTimer()
			for w := range max(1, c.workers) {
				group.Go(func() {
					for i := w; i < b.N; i += max(1, c.workers) {
						recordtest.Ask(context.Background(), m, verbatim.Request{Attempt: 1, MaxTokens: 10})
					}
				})
			}
			group.Wait()
		})
	}
}
