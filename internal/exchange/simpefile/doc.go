// Package simpefile reads and writes the result files of simpE: Read returns the runs of a
// folder or a file, Write writes a file for each run.
package simpefile
