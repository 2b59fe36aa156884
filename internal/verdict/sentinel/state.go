package sentinel

import (
	"encoding/json"
	"errors"

	"verbatim/internal/stats/change"
)

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
