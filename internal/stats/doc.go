// Package stats turns numbers into numbers: intervals, and later comparisons,
// gates and limits. It knows neither items nor records, takes what it is given
// and states for each function what it assumes and what it does at its edges.
//
// Start reading at Wilson, the interval of a share.
package stats
