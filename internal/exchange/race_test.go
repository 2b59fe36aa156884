//go:build race

package exchange_test

// underRace says that the race detector is at work, which makes grading ten times
// as slow: the parity test then looks at one model.
const underRace = true
