// Package report computes what runs have in common: it folds their records once into
// a Report, in memory that does not grow with their number.
//
// What the numbers mean is decided here. Rates are over answered items, with the rate
// over all planned items next to them. An outage is never a wrong answer. What is
// unknown is absent, never 0. Warnings travel with the numbers.
//
// Package result, below this one, holds what the other commands say of runs. Package
// layout prints all of them.
//
// Start reading at Report and Of.
package report
