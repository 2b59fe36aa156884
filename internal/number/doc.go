// Package number prints numbers for people: shares, counts, times, probabilities. All outputs use
// it, so that a number reads the same in a terminal, on a page and in a paper.
//
// Rounding never makes a number certain: 2,999 of 3,000 is >99.9 %, not 100.0 %, and a
// probability of 0.9999 is >0.999. An unknown number is printed as Missing.
package number
