// Package exchange is what the readers and writers of other tools' files share. Each format
// has a package below it:
//
//   - sortbenchfile: a checkout of the published SortBench, its scores, CSV in its columns
//   - simpefile: the result files of simpE
//   - evallog: logs of inspect_ai and samples of lm-evaluation-harness
//
// A reader returns Runs: what a run is, and an iterator over its records, which reads one
// file at a time. Readers grade nothing. A Record has one of
//
//   - a Reply, which the caller grades. A Grade with it is the file's own, under the name of
//     another grader;
//   - a Grade alone, by the grader Published or another tool's: a score without its reply;
//   - a Failure: the file says that there was no reply.
//
// Files are checked as a whole before the first record is returned. A broken one is refused
// with all its Problems, by file and place, and nothing is half imported.
//
// Start reading at Run, then at sortbenchfile.Read.
package exchange
