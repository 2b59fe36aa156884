// Package drawing draws numbers with characters: bars and curves of shares, and intervals
// on a common scale.
package drawing
