// Package stream computes statistics of a stream of numbers in bounded memory: a sum that does
// not depend on the order of the numbers (ExactSum), and quantiles with a bounded relative
// error (Quantiles). Items counts answers by item, in memory that grows with the items. The
// statistics of parts of a stream can be merged.
package stream
