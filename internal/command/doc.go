// Package command runs a program of the user's as a model: the model named
// exec:COMMAND. New splits the command line; Ask sends a request as one JSON line
// and reads the reply as one JSON line; docs/models.md shows both. Requests in flight
// at the same time have a process each.
//
// Processes are started by one launcher (launcher.go), each in a process group of its
// own, so that a program cannot outlive this one: a guard process (guard.go) kills
// the groups even after SIGKILL.
package command
