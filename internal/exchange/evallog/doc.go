// Package evallog reads and writes the logs of Inspect (inspect_ai) and the samples of
// lm-evaluation-harness: ReadInspect and WriteInspect, ReadLMEval and WriteLMEval.
//
// A record of this program holds more than these formats have fields for. The rest goes into
// a note in their metadata (note.go), from which the record comes back whole. Logs that other
// programs wrote have no note: prompt, reply, expected answer and score are read from their
// own fields.
package evallog
