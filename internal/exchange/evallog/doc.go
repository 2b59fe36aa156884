// Package evallog reads and writes the logs of Inspect (inspect_ai) and the samples of
// lm-evaluation-harness: ReadInspect and WriteInspect, ReadLMEval and WriteLMEval.
//
// These formats lack fields of a record. A note in their metadata (note.go) has the rest, so that
// reading returns the whole record. Logs of other programs have no note: their prompts, replies,
// expected answers and scores are read from the fields of the format.
package evallog
