package app

import (
	"context"
	"net/http/httptest"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/model"
	"verbatim/internal/pace"
	"verbatim/internal/recordtest"
)

// TestServerQueue: a server with four slots that says only how many requests wait gets
// about four at once. With a concurrency that the user named it gets that many, and a
// warning once.
func TestServerQueue(t *testing.T) {
	t.Parallel()
	s, err := fake.New(fake.Config{Echo: true, Pace: fake.Pace{Latency: 20 * time.Millisecond}, Limits: fake.Limits{Slots: 4, Metrics: true}})
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(s)
	defer server.Close()
	m, err := model.Open(context.Background(), server.URL+"/v1#m", model.Options{})
	if err != nil {
		t.Fatal(err)
	}
	defer m.Close()
	if n := m.Slots(context.Background()); n != 0 {
		t.Fatalf("the server says that it has %d slots", n)
	}
	for _, adaptive := range []bool{true, false} {
		p := pace.New(pace.Config{Concurrency: 64, Adaptive: adaptive})
		warned := 0
		q := &serverQueue{Model: m.Model, waiting: m.Waiting, pacer: p, every: 10 * time.Millisecond, warn: func() { warned++ }}
		asked := p.Wrap(q)
		var wg sync.WaitGroup
		for range 64 {
			wg.Go(func() {
				for range 4 {
					if _, err := recordtest.Ask(context.Background(), asked, verbatim.Request{Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: "a"}}}}, MaxTokens: 8}); err != nil {
						t.Error(err)
						return
					}
				}
			})
		}
		wg.Wait()
		if limit := p.State().Limit; adaptive && limit > 12 || !adaptive && limit != 64 {
			t.Errorf("adaptive %t: the concurrency is %d at the end", adaptive, limit)
		}
		if warned != 1 {
			t.Errorf("adaptive %t: warned %d times", adaptive, warned)
		}
	}
}

// TestServerQueueSilent: a server that never reports its queue is asked three times.
// One that has reported it once is asked again and again, whatever it replies later.
func TestServerQueueSilent(t *testing.T) {
	for _, c := range []struct{ says, want int }{{says: 0, want: 3}, {says: 2, want: 6}, {says: 1, want: 6}} {
		asked := 0
		q := &serverQueue{waiting: func(context.Context) (int, bool) { asked++; return 0, asked == c.says }}
		for range 6 {
			if q.asked {
				break
			}
			q.asked = true
			q.ask()
		}
		if asked != c.want {
			t.Errorf("a server that says it at the request %d is asked %d times, want %d", c.says, asked, c.want)
		}
	}
}
