// Package trust holds decisions of the user of this machine that no file from elsewhere
// can make: which model a run was made with, and which configuration files may name
// keys. The decisions are in the user's own configuration folder.
//
//	folder := trust.Open(os.Getenv)
//
// Start reading at Open.
package trust
