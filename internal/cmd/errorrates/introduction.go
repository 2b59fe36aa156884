package main

// introduction opens the page.
const introduction = `# Error rates

What this program says with numbers, it says with a stated chance of being wrong: an interval holds the true value in 95 % of cases, a gate calls an unchanged endpoint “worse” in
less than one of a hundred. This page checks these statements by simulation. Populations whose truth is known are drawn again and again, the statistics are fed with them as a run would
feed them, and it is counted how often they were wrong. Some rates are proved and must hold for any scores (stopping early by bets); others rest on posteriors, are known to dip for
few items, and are stated as what was measured.

Each figure comes with its Monte Carlo error: “0.0123 ± 0.0011” is a share and its standard error, “< 0.0008” one that never occurred, with the bound of 95 % on what it can be. Shapes are built in, or taken from the published SortBench
scores (seven models, 18 tasks, 8 lengths, ten lists each), whose differences have the ties and tails of real answers.

To repeat it (about a quarter of an hour on one core; the page comes out the same, byte for byte, on any number of them):

` + "```" + `
go run ./internal/cmd/errorrates -o docs/error-rates.md
` + "```" + `

The published scores are in ` + "`internal/oracle/testdata/stats/cells.json`" + `: ` + "`{\"cells\": [[task, length], …], \"v\": {model: [[ten scores], …a list for each cell], …}}`" + `. ` + "`-oracle DIR`" + ` names another folder; without scores the built-in shapes remain. The command fails where
a stated rate is missed by more than four Monte Carlo errors; ` + "`go test ./internal/cmd/errorrates`" + ` runs a short form of it.
`
