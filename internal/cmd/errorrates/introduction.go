package main

// introduction opens the page.
const introduction = `# Error rates

This page says how often the statistics of this program are wrong. Two examples: an interval holds the true value in 95 % of cases. A gate calls an unchanged endpoint “worse” in less than one of a hundred.

The rates are checked by simulation. Populations with a known truth are drawn again and again. The statistics get these draws as a run would give them. Then the errors are counted.

| basis | rates | what it guarantees |
|---|---|---|
| proved | stopping early by bets | they hold for any scores |
| proved | “worse” and “better” of ` + "`compare`" + ` on equal models | at most 5 % together, for any number of items that differ |
| summed | intervals of a share, ` + "`compare`" + ` on few items | exact for each true share of the table |
| measured | all others, most of them from posteriors | no proof: they are known to dip for few items, and the stated rate is the measured one |

**Figures.** Each has its Monte Carlo error. “0.0123 ± 0.0011” is a share and its standard error. “< 0.0008” never occurred; the number is the 95 % bound on its rate.

**Populations.** Some shapes are built in. The others are taken from the published SortBench scores: seven models, 18 tasks, 8 lengths, ten lists each. Their differences have the ties and tails of real answers.

To repeat the simulation (about half an hour on one core; the page is the same, byte for byte, on any number of them):

` + "```" + `
go run ./internal/cmd/errorrates -o docs/error-rates.md
` + "```" + `

The published scores are in ` + "`" + `internal/oracle/testdata/stats/cells.json` + "`" + `: ` + "`" + `{"cells": [[task, length], …], "v": {model: [[ten scores], …a list for each cell], …}}` + "`" + `. ` + "`" + `-oracle DIR` + "`" + ` names another folder. Without scores, only the built-in shapes are
simulated.

The command fails if any measured rate misses its stated rate, by however little. ` + "`" + `go test ./internal/cmd/errorrates` + "`" + ` runs a short form with fewer runs, which may miss by four Monte Carlo errors.
`
