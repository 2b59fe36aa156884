package sentinel

import (
	"errors"

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
