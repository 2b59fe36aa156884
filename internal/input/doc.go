// Package input reads what a user names and wrote, and reports mistakes in it. OpenFile and ReadFile
// read files, CheckPaths checks paths for other readers. A NameError is a mistake in the name of a
// model, a FileError one in a file. Each says what is wrong, where, and what to write instead.
// Nearest finds the known word that a misspelled one is close to.
package input
