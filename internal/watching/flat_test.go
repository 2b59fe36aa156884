package watching

import (
	"database/sql"
	"reflect"
	"testing"
	"time"

	"verbatim/internal/app"
	"verbatim/internal/exhaustive"
	"verbatim/internal/verdict/sentinel"
)

// exec executes a statement on the database of the program, past the program.
func exec(t *testing.T, a *app.App, statement string) {
	t.Helper()
	db, err := sql.Open("sqlite", a.Database)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// TestRunReadsNoEarlierRecord looks at an endpoint after the records of the enrolment
// and of the earlier days were deleted: reading one would be an error. This shows that
// the time of a run does not grow with the calls of the watch. Without the saved
// states, the records are read.
func TestRunReadsNoEarlierRecord(t *testing.T) {
	t.Parallel()
	s := serve(t)
	a, o := program(t, s)
	if doc, err := Enrol(t.Context(), t.Context(), a, o, standard()); err != nil || doc.Refusal != "" {
		t.Fatalf("%+v, %v", doc, err)
	}
	clock := time.Date(2027, 1, 1, 6, 0, 0, 0, time.UTC)
	for day := range 3 {
		if _, err := today(t.Context(), t.Context(), a, o, clock.AddDate(0, 0, day)); err != nil {
			t.Fatal(err)
		}
	}
	exec(t, a, `DELETE FROM reply`)
	doc, err := today(t.Context(), t.Context(), a, o, clock.AddDate(0, 0, 3))
	if err != nil || doc.Word != sentinel.Quiet || len(doc.Days) != 4 || doc.Spent.Days != 4*sentinel.Usual || doc.Items != 24 {
		t.Fatalf("%+v, %v", doc, err)
	}
	exec(t, a, `UPDATE run SET test = json_remove(test, '$.state')`)
	if _, err := today(t.Context(), t.Context(), a, o, clock.AddDate(0, 0, 4)); err == nil {
		t.Error("neither states nor records are read")
	}
}

// TestStatesAndRecords reads watches from their saved states and from their records: both are the
// same, with alarms, bursts, distances, several runs on a day and contracts that are broken.
func TestStatesAndRecords(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]struct {
		settings  Settings
		rate      float64
		disobeys  []string
		wantAlarm bool
	}{
		"quiet":     {standard(), 0.05, nil, false},
		"distances": {Settings{Alpha: 0.01, Tolerance: 0.05, Horizon: 365, Seed: 1, Distances: true, Texts: true}, 0.05, nil, false},
		"deviates":  {standard(), 0.5, nil, true},
		"contract":  {standard(), 0, []string{"stop"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			if (name == "quiet" || name == "contract") && !exhaustive.All() {
				t.Skip("VERBATIM_EXHAUSTIVE=1 runs it; scripts/check exhaustive does")
			}
			s := serve(t)
			a, o := program(t, s)
			m := newWavering(t, 1)
			s.become(t, m, nil)
			if doc, err := Enrol(t.Context(), t.Context(), a, o, change.settings); err != nil || doc.Refusal != "" {
				t.Fatalf("%+v, %v", doc, err)
			}
			m.become(change.rate)
			s.become(t, m, change.disobeys)
			clock := time.Now().UTC()
			runs := 7
			if change.wantAlarm {
				runs = 12
			}
			for run := range runs {
				if _, err := today(t.Context(), t.Context(), a, o, clock.AddDate(0, 0, run*2/3)); err != nil {
					t.Fatal(err)
				}
			}
			read := func() *Saved {
				w, err := find(t.Context(), a, s.url+"/v1#m")
				if err != nil || w == nil {
					t.Fatal(err)
				}
				if _, alarm := w.Alarm(); alarm != change.wantAlarm {
					t.Errorf("an alarm: %t, want %t", alarm, change.wantAlarm)
				}
				w.Run.Test, w.Upstream = nil, nil
				return w
			}
			states := read()
			exec(t, a, `UPDATE run SET test = json_remove(test, '$.state')`)
			if records := read(); !reflect.DeepEqual(records, states) {
				t.Errorf("from states:\n%+v\nfrom records:\n%+v", Status(states), Status(records))
			}
		})
	}
}
