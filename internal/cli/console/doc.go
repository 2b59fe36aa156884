// Package console is what every command has: the environment of the process, its output, its
// notes and its database.
//
// An Env has the streams, the variables and the widths of the terminals. Env.Start prepares it
// for a command line. Results go to the standard output by Env.Print and Env.WriteResult, notes
// to the standard error by Env.Note.
package console
