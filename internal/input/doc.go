// Package input holds the errors of what a user wrote: a NameError for the name of a
// model, a FileError for a place in a file. Each says what is wrong, where, and what
// to write instead; Nearest finds the known word that a misspelled one is close to.
package input
