package watching

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/obedient"
	"verbatim/internal/verdict/sentinel"
)

// A wavering model deviates in a share of the calls that have one word.
type wavering struct {
	verbatim.Model
	mu     sync.Mutex
	rate   float64
	random *rand.Rand
}

func newWavering(t *testing.T, seed uint64) *wavering {
	t.Helper()
	model, err := obedient.New(url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	return &wavering{Model: model, random: rand.New(rand.NewPCG(seed, 3))}
}

func (m *wavering) become(rate float64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.rate = rate
}

func (m *wavering) deviates() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.random.Float64() < m.rate
}

// Ask implements verbatim.Model.
func (m *wavering) Ask(ctx context.Context, r *verbatim.Request, reply *verbatim.Reply) error {
	err := m.Model.Ask(ctx, r, reply)
	if one := r.Prompt[len(r.Prompt)-1].Content[0].Text; err == nil && !strings.Contains(one, " ") && m.deviates() {
		reply.Text, reply.Tokens = "other", nil
	}
	return err
}

// TestLiveYears watches servers that deviate as often as the tolerance allows, or never, with the
// requests, records and runs of the program, and with a clock that advances a day for each run.
// The full form has 30 years, 20 of them at the tolerance, and the short one two weeks of each.
func TestLiveYears(t *testing.T) {
	t.Parallel()
	days := 14
	if os.Getenv("VERBATIM_EXHAUSTIVE") != "" {
		days = 365
	}
	for _, c := range []struct {
		rate  float64
		years int
	}{{0.05, 20}, {0, 10}} {
		rate, years := c.rate, c.years
		if days < 365 {
			years = 1
		}
		t.Run(fmt.Sprint("rate ", rate), func(t *testing.T) {
			alarms, calls, deviations := 0, 0, 0
			watches := watchAll(t, years, liveWatch{Change: 0, After: rate, Days: days})
			for _, w := range watches {
				if _, alarm := w.Alarm(); alarm {
					alarms++
				}
				for _, d := range w.Days() {
					calls, deviations = calls+d.Calls, deviations+d.Deviations
				}
			}
			t.Logf("rate %g: %d of %d watches of %d days have an alarm; %d of %d calls deviate", rate, alarms, years, days, deviations, calls)
			// At most 1 % of the watches have an alarm: three of 20 would have a probability of 0.1 %.
			if alarms > years/10 {
				t.Errorf("%d of %d watches have a false alarm", alarms, years)
			}
			if share := float64(deviations) / float64(calls); calls < 12*days*years || share < rate*0.2 || share > rate*2 {
				t.Errorf("%d of %d calls deviate", deviations, calls)
			}
		})
	}
}

// TestLiveChanges watches servers that change on the 11th day, in the same way. The full form has
// 15 watches for each rate, which end with their alarms. Simulated watches had four of five alarms
// within 60, 12, 4 and 0 days at these rates; here are twice as many days, and five more.
func TestLiveChanges(t *testing.T) {
	t.Parallel()
	watches, change := 1, 3
	if os.Getenv("VERBATIM_EXHAUSTIVE") != "" {
		watches, change = 15, 10
	}
	for _, c := range []struct {
		rate   float64
		within int
	}{{0.1, 125}, {0.15, 29}, {0.25, 13}, {1, 0}} {
		t.Run(fmt.Sprint("rate ", c.rate), func(t *testing.T) {
			if watches == 1 && c.rate < 0.25 {
				t.Skip("a small change takes many days")
			}
			var days []int
			for _, w := range watchAll(t, watches, liveWatch{Change: change, Before: 0.01, After: c.rate, Days: change + c.within + 1}) {
				if _, alarm := w.Alarm(); alarm {
					days = append(days, len(w.Days())-1-change)
				}
			}
			slices.Sort(days)
			t.Logf("rate %g: %d of %d watches have an alarm, after days %v", c.rate, len(days), watches, days)
			if len(days) < (watches+1)*2/3 || days[0] < 0 {
				t.Errorf("only %d of %d watches have an alarm within %d days: %v", len(days), watches, c.within, days)
			}
		})
	}
}

// A liveWatch is an endpoint that changes, and the days for which it is watched unless there is an
// alarm before. Its horizon is a year, or as many days.
type liveWatch struct {
	Change        int     // days before the change
	Before, After float64 // share of calls that deviate
	Days          int
}

// watchAll plays a watch with several seeds.
func watchAll(t *testing.T, n int, l liveWatch) (watches []*Saved) {
	t.Helper()
	var mu sync.Mutex
	t.Run("watches", func(t *testing.T) {
		for seed := range n {
			t.Run(fmt.Sprint(seed), func(t *testing.T) {
				t.Parallel()
				w := l.play(t, uint64(seed))
				t.Logf("seed %d: capital %.3g after %d days", seed, w.Capital(), len(w.Days()))
				mu.Lock()
				defer mu.Unlock()
				watches = append(watches, w)
			})
		}
	})
	return watches
}

// play enrols a server and watches it, each day with a run of the command.
func (l liveWatch) play(t *testing.T, seed uint64) *Saved {
	t.Helper()
	s := serve(t)
	a, o := program(t, s)
	m := newWavering(t, seed)
	s.become(t, m, nil)
	set := standard()
	set.Seed = seed
	if doc, err := Enrol(t.Context(), t.Context(), a, o, set); err != nil || doc.Refusal != "" || doc.Tolerance != 0.05 {
		t.Fatalf("%+v, %v", doc, err)
	}
	m.become(l.Before)
	clock := time.Date(2027, 1, 1, 6, 0, 0, 0, time.UTC)
	for day := range l.Days {
		if day == l.Change {
			m.become(l.After)
		}
		doc, err := today(t.Context(), t.Context(), a, o, clock.AddDate(0, 0, day))
		if err != nil || doc.Word == sentinel.TooFew || len(doc.Days) != day+1 {
			t.Fatalf("day %d: %+v, %v", day, doc, err)
		}
		if doc.Alarm != nil {
			break
		}
	}
	w, err := find(t.Context(), a, s.url+"/v1#m")
	if err != nil || w == nil {
		t.Fatal(err)
	}
	return w
}
