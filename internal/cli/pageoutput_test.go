package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// small imports two runs and returns the database.
func small(t *testing.T) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "x.db")
	if r := invoke(t, db, "import", filepath.Join("..", "..", "cmd", "verbatim", "testdata", "small.jsonl")); r.code != exitDone {
		t.Fatal(r.err)
	}
	return db
}

// TestPageOfATerminal: a page goes to a file or a pipe, never to a terminal.
func TestPageOfATerminal(t *testing.T) {
	db := small(t)
	for _, c := range []struct {
		width int
		args  string
		code  int
		page  bool // on the standard output
	}{
		{80, "report 1 --format html", Usage, false},
		{80, "report 1 --format html -o -", Usage, false},
		{80, "report 1 --format html -o page.html", exitDone, false},
		{0, "report 1 --format html", exitDone, true},
		{0, "report 1 --format html -o -", exitDone, true},
	} {
		t.Chdir(t.TempDir())
		var out, errs bytes.Buffer
		code := Main(strings.Fields(c.args), Env{In: strings.NewReader(""), Out: &out, Err: &errs, OutWidth: c.width,
			Getenv: func(name string) string {
				return map[string]string{"VERBATIM_DISCOVER": "off", "VERBATIM_DB": db}[name]
			},
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }})
		if code != c.code || strings.Contains(out.String(), "<html") != c.page || code == Usage && !strings.Contains(errs.String(), "-o report.html") {
			t.Errorf("%s, width %d: exit code %d, %d bytes, %s", c.args, c.width, code, out.Len(), errs.String())
		}
		if _, err := os.Stat("page.html"); (err == nil) != strings.Contains(c.args, "page.html") {
			t.Errorf("%s: the file: %v", c.args, err)
		}
	}
}
