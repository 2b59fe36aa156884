// Package command runs a program of the user as a model: the model named exec:COMMAND. New
// splits the command line. Model.Ask writes a request as one JSON line and reads the reply as
// one JSON line; docs/format.md defines both. Each of the requests in flight has a process of
// its own.
//
// One launcher (launcher.go) starts the processes, each in a process group of its own. A guard
// process (guard.go) kills these groups when this program has ended, even by SIGKILL.
package command
