// Package report computes a Report of one or several runs. Of folds the records of each run
// once, in memory that does not grow with their number.
//
// The numbers are defined here. Rates are over answered items, next to the rate over all planned
// items. An outage is never a wrong answer. An unknown number is absent, never 0. Warnings come
// with the numbers.
//
// The results of check, preflight, smoke, sentinel, verify and aa have a file each. Package layout
// prints all of them.
//
// Start reading at Report and Of.
package report
