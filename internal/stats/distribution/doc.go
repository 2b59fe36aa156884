// Package distribution has the two distributions that the statistics of this program need: the
// standard normal one and Student's. The special functions are those of gonum; its package of
// distributions would bring its matrices along, a twentieth of the program.
package distribution
