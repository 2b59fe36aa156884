package sentinel

import (
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	"verbatim/internal/draw"
	"verbatim/internal/stats/change"
	"verbatim/internal/upstream"
)

// The calls of a day.
const (
	// Usual is how many calls a day has if nothing looks changed.
	Usual = 12
	// most is the largest number of calls of a day. More than Usual are made while the capital is
	// above burst.
	most  = 180
	burst = 2.0
	// enough is the smallest number of replies of a day with a verdict.
	enough = Usual / 2
)

// A Watch is an enrolled endpoint and the days that were watched so far.
type Watch struct {
	Enrolled *EnrolmentResult
	Alpha    float64
	Horizon  int // in days with calls
	Seed     uint64
	Rules

	capital *change.Watch
	days    []Day
	first   int             // index of the day of the first alarm; -1: no alarm
	streaks []int           // by item: the number of its last calls that deviated, in a row
	byWord  map[string]int  // index of an item
	held    map[string]bool // contracts that have held in this watch
}

// Rules say what is compared in addition to answers.
type Rules struct {
	StrictName bool     // another model name or fingerprint is an alarm
	Upstream   Upstream // names who served a reply; nil: it is not looked for
}

// A Day is the result of the calls of a day.
type Day struct {
	Date       string  `json:"date"` // in UTC, as 2026-11-23
	Calls      int     `json:"calls"`
	Deviations int     `json:"deviations"`
	Missing    int     `json:"unanswered"`
	Capital    float64 `json:"capital"` // at its end, or when it raised the alarm
	// Alarm says why there was an alarm on this day; "": there was no alarm.
	Alarm string `json:"alarm,omitempty"`
	// Words lists the items that deviated, in the order of the calls.
	Words []string `json:"words,omitempty"`
	// Elsewhere counts replies of upstreams that were not enrolled, and Upstreams names these.
	// Such replies are no evidence on the enrolled ones.
	Elsewhere int      `json:"elsewhere,omitempty"`
	Upstreams []string `json:"upstreams,omitempty"`
	// Failed are the attempts that failed, by the upstream that the responses name.
	Failed upstream.Failures `json:"failed_upstreams,omitempty"`
	// Contracts is the result of the weekly test of contracts; nil: there was none on this day.
	Contracts *Contracts `json:"contracts,omitempty"`
	// Served lists the model names with fingerprints that no reply of the enrolment had.
	Served []string `json:"served,omitempty"`
}

// NewWatch returns a watch without days. The horizon is in days with calls.
func NewWatch(enrolled *EnrolmentResult, alpha float64, horizon int, seed uint64, rules Rules) (*Watch, error) {
	if len(enrolled.Items) == 0 {
		return nil, errors.New("the enrolment has no items")
	}
	capital, err := change.NewWatch(enrolled.Tolerance, horizon)
	if err != nil {
		return nil, err
	}
	w := &Watch{Enrolled: enrolled, Alpha: alpha, Horizon: horizon, Seed: seed, Rules: rules, capital: capital, first: -1,
		streaks: make([]int, len(enrolled.Items)), byWord: map[string]int{}, held: map[string]bool{}}
	for i, it := range enrolled.Items {
		w.byWord[it.Word] = i
	}
	return w, nil
}

// Capital is the value of the sequential test: 1/alpha or more is an alarm. From the first alarm on it
// is the value on the day of that alarm.
func (w *Watch) Capital() float64 {
	if w.first >= 0 {
		return w.days[w.first].Capital
	}
	return w.capital.Value()
}

// Days returns the days so far, the oldest first.
func (w *Watch) Days() []Day { return w.days }

// Alarm returns the day of the first alarm; false if there was no alarm.
func (w *Watch) Alarm() (Day, bool) {
	if w.first < 0 {
		return Day{}, false
	}
	return w.days[w.first], true
}

// next returns the day of a date. It begins a day if the newest one has another date.
func (w *Watch) next(date string) (*Day, error) {
	if n := len(w.days); n == 0 || w.days[n-1].Date != date {
		if err := w.capital.NextDay(); err != nil {
			return nil, err
		}
		w.days = append(w.days, Day{Date: date, Capital: w.capital.Value()})
	}
	return &w.days[len(w.days)-1], nil
}

// raise notes an alarm on the newest day.
func (w *Watch) raise(why string) {
	day := &w.days[len(w.days)-1]
	if day.Alarm == "" {
		day.Alarm = why
	}
	if w.first < 0 {
		w.first = len(w.days) - 1
	}
}

// allTwice reports whether every item has deviated in its last two calls.
func (w *Watch) allTwice() bool {
	for _, n := range w.streaks {
		if n < 2 {
			return false
		}
	}
	return true
}

// A Seen says how fast a watch sees a change: after Median days half of the watches have an alarm,
// and after Most days four of five. 0 is the day of the change; nil: not within the horizon.
type Seen struct {
	Rate   float64 `json:"rate"` // of deviations after the change
	Median *int    `json:"median_days"`
	Most   *int    `json:"most_days"`
	Share  float64 `json:"share"` // of the watches that have an alarm at all
}

// A Model is what the speed of a watch depends on.
type Model struct {
	Alpha, Tolerance float64
	Horizon          int     // days
	Before           float64 // rate of deviations before the change
	Day              int     // days before the change
}

// SeenRates are the rates of deviations for which the speed of a watch is stated.
func SeenRates() []float64 { return []float64{.10, .15, .25, .36, .60, 1} }

// Seen simulates watches with the recursion of Watch and the calls of Today. The random numbers
// follow from the arguments.
func (m Model) Seen(rate float64, watches int) Seen {
	r := draw.Rand("sentinel-seen", 1, fmt.Sprintf("%v/%v", m, rate), 0, 0)
	var days []int
	for range watches {
		if day, ok := m.alarm(rate, r); ok {
			days = append(days, day)
		}
	}
	slices.Sort(days)
	at := func(share float64) *int {
		if k := int(share * float64(watches)); k < len(days) {
			return &days[k]
		}
		return nil
	}
	return Seen{rate, at(.5), at(.8), float64(len(days)) / float64(watches)}
}

// Alarm simulates a watch, and returns the number of days from the change to the alarm; false if there
// is no alarm, or one before the change.
func (m Model) alarm(rate float64, r *rand.Rand) (days int, ok bool) {
	w, err := change.NewWatch(m.Tolerance, m.Horizon)
	if err != nil {
		return 0, false
	}
	for day := range m.Horizon {
		if w.NextDay() != nil {
			return 0, false
		}
		p := rate
		if day < m.Day {
			p = m.Before
		}
		for n := 0; n < Usual || n < most && w.Value() > burst; n++ {
			w.Add(r.Float64() < p)
			if w.Value() >= 1/m.Alpha {
				return day - m.Day, day >= m.Day
			}
		}
	}
	return 0, false
}

// stateFormat is the format of saved states. It must change when their content, or how it is computed,
// changes. States of another format are not used: they are computed from the records.
const stateFormat = "sentinel-state/1"

// errState is the error of a state of another format, or one that does not fit to the watch.
var errState = errors.New("the saved state cannot be used")

// enrolmentState is what a finished enrolment found.
type enrolmentState struct {
	Format string            `json:"format"`
	Result *EnrolmentResult  `json:"result"`
	Lists  []change.LogProbs `json:"lists"` // the medoids of the items
}

// State returns what ReadEnrolment reads; "" while calls are left.
func (e *Enrolment) State() string {
	r := e.Result()
	if !r.Finished {
		return ""
	}
	s := enrolmentState{Format: stateFormat, Result: r}
	for i := range r.Items {
		s.Lists = append(s.Lists, r.Items[i].medoid)
	}
	return encodeState(s)
}

// ReadEnrolment reads the state of a finished enrolment.
func ReadEnrolment(state string) (*EnrolmentResult, error) {
	var s enrolmentState
	if err := json.Unmarshal([]byte(state), &s); err != nil {
		return nil, err
	}
	if s.Format != stateFormat || s.Result == nil || !s.Result.Finished || len(s.Lists) != len(s.Result.Items) {
		return nil, errState
	}
	for i := range s.Lists {
		if s.Result.Items[i].medoid = s.Lists[i]; s.Lists[i] == nil && s.Result.Items[i].Radius != nil {
			return nil, errState
		}
	}
	return s.Result, nil
}

// watchState is a watch after a run. Earlier days are in the states of their runs, and the results of
// contracts are in the verdicts of their runs.
type watchState struct {
	Format  string            `json:"format"`
	Day     Day               `json:"day"` // the newest
	Days    int               `json:"days"`
	First   int               `json:"first"`
	Streaks []int             `json:"streaks"`
	Capital change.WatchState `json:"capital"`
}

// State returns what Restore reads; "" while calls are left.
func (t *Today) State() string {
	if t.Verdict() == "" {
		return ""
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	w := t.watch
	return encodeState(watchState{Format: stateFormat, Day: w.days[len(w.days)-1], Days: len(w.days), First: w.first, Streaks: w.streaks, Capital: w.capital.State()})
}

// Restore adds a run of a date by the state after it. An error changes nothing.
func (w *Watch) Restore(date, state string) error {
	var s watchState
	if err := json.Unmarshal([]byte(state), &s); err != nil {
		return err
	}
	days := w.days
	if n := len(days); n > 0 && days[n-1].Date == date {
		days = days[:n-1]
	}
	if s.Format != stateFormat || s.Days != len(days)+1 || s.Day.Date != date || s.First < -1 || s.First >= s.Days || len(s.Streaks) != len(w.streaks) {
		return errState
	}
	if err := w.capital.Restore(s.Capital); err != nil {
		return err
	}
	w.days, w.first, w.streaks = append(days, s.Day), s.First, s.Streaks
	return nil
}

// encodeState writes a state; "" if it has a number that JSON cannot hold.
func encodeState(state any) string {
	b, err := json.Marshal(state)
	if err != nil {
		return ""
	}
	return string(b)
}
