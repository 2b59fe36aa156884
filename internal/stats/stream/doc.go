// Package stream takes statistics of a stream of numbers in bounded memory: a sum that
// does not depend on the order of the numbers, and quantiles of a bounded relative error.
// What two parts of a stream gave can be merged.
package stream
