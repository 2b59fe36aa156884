package memory

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"
)

// Replies that find no room wait for others, and all finish, though together they need
// more than there is; one that waits too long is given up.
func TestLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		m := NewLimit(1000 * Free)
		var group sync.WaitGroup
		most := int64(0)
		var mu sync.Mutex
		for range 20 {
			group.Go(func() {
				h := m.Reserve()
				defer h.Release()
				for n := int64(100 * Free); n <= 900*Free; n += 100 * Free {
					if err := h.Grow(t.Context(), n); err != nil {
						t.Error(err)
					}
					mu.Lock()
					m.mu.Lock()
					most = max(most, m.reserved)
					m.mu.Unlock()
					mu.Unlock()
					time.Sleep(time.Second)
				}
			})
		}
		group.Wait()
		if m.reserved != 0 || m.excess != nil || most > (1000+1350)*Free || most < 500*Free {
			t.Errorf("%d are held at the end, %d at most", m.reserved, most)
		}
		first, second, third := m.Reserve(), m.Reserve(), m.Reserve()
		first.Grow(t.Context(), 600*Free)
		second.Grow(t.Context(), 600*Free)
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := third.Grow(ctx, 600*Free); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("%v", err)
		}
	})
}
