// Package conformance compares verbatim with programs of other projects for the
// same protocols. The official Go clients read the same bytes and write the same
// questions; OpenAI's API description is checked against our requests; servers of
// other projects answer the whole program.
//
// It is a module of its own, so that none of them is a dependency of the program.
// It consists of tests only; docs/conformance.md has their results. Start reading
// at reading_test.go.
//
// Each known difference between another program and ours has a name in a table and
// is asserted: a test fails if a difference appears, and also if one disappears.
package conformance
