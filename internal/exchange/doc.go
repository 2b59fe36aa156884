// Package exchange has what the readers and writers of other tools' files share. Each format has a
// package below it:
//
//   - sortbenchfile: a checkout of the published SortBench, its scores, CSV in its columns
//   - simpefile: the result files of simpE
//   - evallog: logs of inspect_ai and samples of lm-evaluation-harness
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
