// Package conformance compares verbatim with other people's programs that speak
// the same protocols: the official Go clients read the same bytes and write the
// same questions, OpenAI's own description judges our requests, and servers that
// we did not write answer the whole program.
//
// It is a module of its own so that none of them is ever part of the program. It
// consists of tests only; docs/conformance.md says what they found. Start reading
// at reading_test.go.
//
// Where another program and ours disagree, the disagreement has a name in a table
// and is asserted: a test fails when one appears, and also when one is gone.
package conformance
