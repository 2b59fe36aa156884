package store

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// encodeTest returns the column test of a run: the JSON of a test without its verdict and the
// time of it, and without its state while it is open; nil for no test. Begin finds an open test
// by this text.
func encodeTest(t *verbatim.Test) (any, error) {
	if t == nil {
		return nil, nil
	}
	open := *t
	if open.Verdict == "" {
		open.State = ""
	}
	open.Verdict, open.Closed = "", time.Time{}
	return jsonOf(&open, "test of the run")
}

// scanTest reads the columns test, verdict and closed of a run.
func scanTest(r *sqlite.Rows) (*verbatim.Test, error) {
	t, err := scanJSON[verbatim.Test](r, "the test of a run")
	verdict, closed := r.Text(), moment(r.OptInt())
	if t != nil {
		t.Verdict, t.Closed = verdict, closed
	}
	return t, err
}

// sameTest reports whether the column test of a run has the kind, the baseline and the settings
// of a test.
func sameTest(saved []byte, t *verbatim.Test) bool {
	if saved == nil || t == nil {
		return saved == nil && t == nil
	}
	var known verbatim.Test
	if json.Unmarshal(saved, &known) != nil {
		return false
	}
	return known.Kind == t.Kind && known.Baseline == t.Baseline && maps.Equal(known.Settings, t.Settings)
}

// saveVerdict closes the test of a run with the verdict, the time and the state of a test.
func saveVerdict(c *sqlite.Conn, run int64, test verbatim.Test) error {
	body, err := encodeTest(&test)
	if err == nil {
		_, _, err = c.Exec(`UPDATE run SET test = ?, verdict = ?, closed = ? WHERE id = ?`, body, clean(test.Verdict), instant(test.Closed), run)
	}
	return err
}

// checkTestOpen returns a *testClosed error if the run is a closed test.
func checkTestOpen(run verbatim.Run) error {
	if run.Test != nil && run.Test.Verdict != "" {
		return &testClosed{Run: run.Name, Test: *run.Test}
	}
	return nil
}

// A testClosed error is that of a change to a run whose test has its verdict already.
type testClosed struct {
	Run  string // its name
	Test verbatim.Test
}

// Error names the run and its verdict.
func (e *testClosed) Error() string {
	return fmt.Sprintf("run %s is closed: its %s has ended with %q", e.Run, e.Test.Kind, e.Test.Verdict)
}

// Hint says what to do about it.
func (e *testClosed) Hint() string { return "give the same command again: it starts a new run" }
