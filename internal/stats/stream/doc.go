// Package stream takes statistics of a stream of numbers in bounded memory: a sum that
// does not depend on the order of the numbers, and quantiles of a bounded relative error.
// It counts answers by item, too, in memory that grows with the items.
// What two parts of a stream gave can be merged.
package stream
