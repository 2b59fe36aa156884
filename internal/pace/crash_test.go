package pace

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"verbatim"
	"verbatim/internal/recordtest"
)

// A process is one call of the program on a disk that outlives it.
type process struct {
	*disk
	mu   sync.Mutex
	dead bool
}

var errDead = errors.New("the process is dead")

// alive does what a process does unless it is dead.
func (p *process) alive(do func()) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.dead {
		return errDead
	}
	do()
	return nil
}

func (p *process) Reserve(ctx context.Context, seq int64, n int, amount verbatim.Money) (err error) {
	time.Sleep(time.Millisecond) // the commit
	if e := p.alive(func() { err = p.disk.Reserve(ctx, seq, n, amount) }); e != nil {
		return e
	}
	return err
}

func (p *process) Release(seq int64, n int) { p.alive(func() { p.disk.Release(seq, n) }) }

// save commits what came of a request, as the store does.
func (p *process) save(seq int64, reply verbatim.Reply, err error) {
	p.alive(func() {
		p.disk.mu.Lock()
		defer p.disk.mu.Unlock()
		var f *verbatim.Failure
		attempts := reply.Attempts
		if errors.As(err, &f) {
			attempts = f.Attempts
		}
		cost := verbatim.Money(0)
		if err == nil && reply.Cost != nil {
			cost = *reply.Cost
		}
		for _, a := range attempts {
			if a.Cost != nil {
				cost += *a.Cost
			}
		}
		for key := range p.rows {
			if strings.HasPrefix(key, fmt.Sprintf("%d/", seq)) {
				delete(p.rows, key)
			}
		}
		p.rows["saved"] += cost
	})
}

// Over random runs that are killed at random moments and started again: what the server
// bills is never more than the budget, nor than what is on the disk.
func TestBudgetHoldsOverKills(t *testing.T) {
	runs := 300
	if testing.Short() {
		runs = 60
	}
	used := 0
	for seed := range uint64(runs) {
		synctest.Test(t, func(t *testing.T) {
			rng := rand.New(rand.NewPCG(seed, 5))
			limit := verbatim.Money(1 + rng.Int64N(int64(verbatim.Dollar)/20))
			price := verbatim.Price{Input: verbatim.Money(rng.Int64N(int64(5 * verbatim.Dollar))), Output: verbatim.Money(rng.Int64N(int64(20 * verbatim.Dollar)))}
			server := &biller{rng: rand.New(rand.NewPCG(seed, 6)), price: price}
			disk := &disk{rows: map[string]verbatim.Money{}}
			spent := func() (sum verbatim.Money) {
				disk.mu.Lock()
				defer disk.mu.Unlock()
				for _, m := range disk.rows {
					sum += m
				}
				return sum
			}
			for life := range 2 + rng.IntN(5) {
				p := &process{disk: disk}
				b := NewBudget(limit, spent())
				pacer := New(Config{Attempts: 1 + rng.IntN(4), Concurrency: 1 + rng.IntN(40), Adaptive: rng.IntN(2) == 0, Price: &price, Budget: b})
				pacer.Save(p)
				m := pacer.Wrap(modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
					if err := p.alive(func() {}); err != nil {
						return verbatim.Reply{}, err
					}
					return recordtest.Ask(ctx, server, r)
				}))
				ctx, cancel := context.WithCancel(t.Context())
				var group sync.WaitGroup
				for i := range 10 + rng.IntN(60) {
					r := verbatim.Request{Seq: int64(100*life + i), Attempt: 1, MaxTokens: 1 + rng.IntN(500), Prompt: verbatim.Prompt{{Content: []verbatim.Part{{Text: strings.Repeat("x", rng.IntN(500))}}}}}
					group.Go(func() {
						reply, err := recordtest.Ask(ctx, m, r)
						p.save(r.Seq, reply, err)
					})
				}
				if rng.IntN(4) > 0 {
					time.Sleep(time.Duration(rng.IntN(2000)) * time.Millisecond)
					p.mu.Lock()
					p.dead = true
					p.mu.Unlock()
					cancel()
				}
				group.Wait()
				cancel()
				if billed, counted := server.billed, spent(); billed > limit || billed > counted {
					t.Fatalf("seed %d, life %d: %d are billed of %d, and %d counted", seed, life, billed, limit, counted)
				}
			}
			if spent() > limit/2 {
				used++
			}
		})
	}
	if used < runs/4 {
		t.Errorf("only %d of %d runs used half of their budget", used, runs)
	}
}
