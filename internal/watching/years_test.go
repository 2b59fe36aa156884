package watching

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"os"
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
func (m *wavering) Ask(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
	reply, err := m.Model.Ask(ctx, r)
	if one := r.Prompt[len(r.Prompt)-1].Content[0].Text; err == nil && !strings.Contains(one, " ") && m.deviates() {
		reply.Text, reply.Tokens = "other", nil
	}
	return reply, err
}

// TestLiveYears watches servers that deviate as often as the tolerance allows, or never, with the
// requests, records and runs of the program, and with a clock that advances a day for each run.
// The full form has 30 years, 15 of them for each rate, and the short one two weeks of each.
func TestLiveYears(t *testing.T) {
	years, days := 1, 14
	if os.Getenv("VERBATIM_EXHAUSTIVE") != "" {
		years, days = 15, 365
	}
	for _, rate := range []float64{0, 0.05} {
		t.Run(fmt.Sprint("rate ", rate), func(t *testing.T) {
			var mu sync.Mutex
			alarms, calls, deviations := 0, 0, 0
			t.Run("years", func(t *testing.T) {
				for year := range years {
					t.Run(fmt.Sprint(year), func(t *testing.T) {
						t.Parallel()
						w := liveYear(t, uint64(year), rate, days)
						t.Logf("year %d: capital %.3g after %d days", year, w.Capital(), len(w.Days()))
						mu.Lock()
						defer mu.Unlock()
						if _, alarm := w.Alarm(); alarm {
							alarms++
						}
						for _, d := range w.Days() {
							calls, deviations = calls+d.Calls, deviations+d.Deviations
						}
					})
				}
			})
			t.Logf("rate %g: %d of %d watches of %d days have an alarm; %d of %d calls deviate", rate, alarms, years, days, deviations, calls)
			// At most 1 % of the watches have an alarm: two of 15 would have a probability below 1 %.
			if alarms > years/15 {
				t.Errorf("%d of %d watches have a false alarm", alarms, years)
			}
			if share := float64(deviations) / float64(calls); calls < 12*days*years || share < rate*0.2 || share > rate*2 {
				t.Errorf("%d of %d calls deviate", deviations, calls)
			}
		})
	}
}

// liveYear enrols a server and watches it for some days, each with a run of the command.
func liveYear(t *testing.T, seed uint64, rate float64, days int) *Saved {
	t.Helper()
	s := serve(t)
	a, o := program(t, s)
	model, err := obedient.New(url.Values{})
	if err != nil {
		t.Fatal(err)
	}
	m := &wavering{Model: model, random: rand.New(rand.NewPCG(seed, 3))}
	s.become(t, m, nil)
	set := standard()
	set.Seed, set.Horizon = seed, days
	if doc, err := Enrol(t.Context(), t.Context(), a, o, set); err != nil || doc.Refusal != "" || doc.Tolerance != 0.05 {
		t.Fatalf("%+v, %v", doc, err)
	}
	m.become(rate)
	clock := time.Date(2027, 1, 1, 6, 0, 0, 0, time.UTC)
	for day := range days {
		doc, err := Today(t.Context(), t.Context(), a, o, clock.AddDate(0, 0, day))
		if err != nil || doc.Word == sentinel.TooFew || len(doc.Days) != day+1 {
			t.Fatalf("day %d: %+v, %v", day, doc, err)
		}
	}
	w, err := find(t.Context(), a, s.url+"/v1#m")
	if err != nil || w == nil {
		t.Fatal(err)
	}
	return w
}
