package rows

import (
	"encoding/json"
	"fmt"
	"maps"
	"time"

	"verbatim"
	"verbatim/internal/store/sqlite"
)

// EncodeTest is the JSON of what a run is asked for, the two fields apart that
// say how the asking ended; NULL where the whole plan is to be answered. Equal
// open tests have equal texts: that is how Begin tells runs apart. The state is that of a closed
// one.
func EncodeTest(t *verbatim.Test) (any, error) {
	if t == nil {
		return nil, nil
	}
	asked := *t
	if asked.Verdict == "" {
		asked.State = ""
	}
	asked.Verdict, asked.Closed = "", time.Time{}
	b, err := json.Marshal(asked)
	if err != nil {
		return nil, fmt.Errorf("test of the run: %w", err)
	}
	return string(b), nil
}

// scanTest reads the columns test, verdict and closed of a run.
func scanTest(r *sqlite.Rows) (*verbatim.Test, error) {
	body, verdict, closed := r.Bytes(), r.Text(), moment(r.OptInt())
	if body == nil {
		return nil, nil
	}
	t := &verbatim.Test{}
	if err := json.Unmarshal(body, t); err != nil {
		return nil, sqlite.UnreadableError(r.Path, "the test of a run", err)
	}
	t.Verdict, t.Closed = verdict, closed
	return t, nil
}

// SameTest reports whether a saved test, in the form of EncodeTest, is a test. Its end and its state
// do not count.
func SameTest(saved []byte, t *verbatim.Test) bool {
	if saved == nil || t == nil {
		return saved == nil && t == nil
	}
	var known verbatim.Test
	if json.Unmarshal(saved, &known) != nil {
		return false
	}
	return known.Kind == t.Kind && known.Baseline == t.Baseline && maps.Equal(known.Settings, t.Settings)
}

// SaveVerdict closes the test of a run with the verdict, the time and the state of a test.
func SaveVerdict(c *sqlite.Conn, run int64, test verbatim.Test) error {
	body, err := EncodeTest(&test)
	if err == nil {
		_, _, err = c.Exec(`UPDATE run SET test = ?, verdict = ?, closed = ? WHERE id = ?`, body, Clean(test.Verdict), Instant(test.Closed), run)
	}
	return err
}

// CheckTestOpen returns a *Closed error where the run is a closed test.
func CheckTestOpen(run verbatim.Run) error {
	if run.Test != nil && run.Test.Verdict != "" {
		return &TestClosed{Run: run.Name, Test: *run.Test}
	}
	return nil
}

// A TestClosed error says that a run is a test that has its verdict already: nothing
// is added to it.
type TestClosed struct {
	Run  string // its name
	Test verbatim.Test
}

// Error names the run and its verdict.
func (e *TestClosed) Error() string {
	return fmt.Sprintf("run %s is closed: its %s has ended with %q", e.Run, e.Test.Kind, e.Test.Verdict)
}

// Hint says what to do about it.
func (e *TestClosed) Hint() string { return "give the same command again: it starts a new run" }
