// Package jsonl grades replies in JSON lines, for the command "verbatim grade". Blocks of
// lines are graded in parallel and written in order, and memory is bounded.
//
// Start at Grade.
package jsonl
