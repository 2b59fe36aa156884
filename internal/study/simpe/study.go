// Package simpe makes tables and figures of simpE's three tests from runs of its suite or
// from its result files. SimpE has published no numbers to compare with.
//
// Start reading at Study.
package simpe

import (
	"strconv"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/exchange/simpefile"
	"verbatim/internal/study"
)

// Study returns the study for 'report --preset'.
func Study() study.Study {
	return study.Study{Name: "simpe", Choose: choose, Document: Document, Files: files}
}

// choose takes the newest run of every model: simpE draws new items for each.
func choose(runs []verbatim.Run) (chosen []verbatim.Run, notes []string) {
	return study.Newest(runs, func(_, _ *verbatim.Run) bool { return true }), nil
}

// files writes the runs as simpE's own result files.
func files(dir exchange.Folder, runs []exchange.Run) (written string, err error) {
	paths, err := simpefile.Write(dir, Test, runs...)
	what := "result file"
	if len(paths) != 1 {
		what += "s"
	}
	return strconv.Itoa(len(paths)) + " " + what + " of simpE", err
}

// Family returns the family of a test of simpE, or "".
func Family(test string) string {
	return map[string]string{"reversal": "reverse", "rehearsal": "copy", "addition": "add"}[test]
}

// Test returns the test of a family, or "".
func Test(family string) string {
	return map[string]string{"reverse": "reversal", "copy": "rehearsal", "add": "addition"}[family]
}
