// Package simpe makes tables and figures of simpE's three tests from runs of its suite or
// from its result files. SimpE has published no numbers to compare with.
//
// Start reading at Study.
package simpe

import (
	"verbatim"
	"verbatim/internal/exchange"

	"verbatim/internal/number"
	"verbatim/internal/study"
)

// Study returns the study for 'report --preset'.
func Study() study.Study {
	return study.Study{Name: "simpe", Choose: choose, Document: document, Files: files}
}

// choose returns the newest run of each model. Runs with other items can be shown together, since
// simpE draws new items for each run.
func choose(runs []verbatim.Run) (chosen []verbatim.Run, notes []string) {
	return study.Newest(runs, func(_, _ *verbatim.Run) bool { return true }), nil
}

// files writes the runs as simpE's own result files.
func files(dir exchange.Folder, runs []exchange.Run) (written string, err error) {
	paths, err := exchange.WriteSimpE(dir, Test, runs...)
	return number.Plural(int64(len(paths)), "result file", "result files") + " of simpE", err
}

// Family returns the task family of a test of simpE; empty if there is no such test.
func Family(test string) string {
	return map[string]string{"reversal": "reverse", "rehearsal": "copy", "addition": "add"}[test]
}

// Test returns simpE's test of a task family; empty if it has none.
func Test(family string) string {
	return map[string]string{"reverse": "reversal", "copy": "rehearsal", "add": "addition"}[family]
}
