//go:build race

package cli

// underRace says that the race detector is at work, which makes stacks twice as large.
const underRace = true
