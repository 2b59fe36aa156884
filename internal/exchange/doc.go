// Package exchange reads and writes the files of other tools:
//
//   - sortbench.go, sortbenchwrite.go: a checkout of the published SortBench; scores.go: its scores,
//     and CSV in its columns
//   - simpe.go: the result files of simpE
//   - inspect.go, inspectread.go, inspectwrite.go: logs of inspect_ai
//   - lmeval.go: samples of lm-evaluation-harness
//
// note.go is what a log says in addition, so that a run survives the way there and back.
//
// A reader returns Runs. A Run has an iterator over its records, which reads one file at a time.
// Readers do not grade. A record has one of
//
//   - a Reply, which the caller grades. If it has a Grade, that is the file's own, by another
//     grader;
//   - a Grade only, by the grader Published or by that of another tool: a score without its reply;
//   - a Failure: the file says that there was no reply.
//
// A reader checks whole files before it returns. It refuses a broken file with all its Problems,
// by file and line, so that no run is imported in part.
//
// Start reading at Run, then at ReadSortBench.
package exchange
