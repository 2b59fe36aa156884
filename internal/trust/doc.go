// Package trust records decisions of the user of this machine that a file from elsewhere must not
// make. A proof (Folder.Prove) says that a command of this user named the model of a run. A list
// (Folder.Trust) has the configuration files that may name keys. Both are in the user's own
// configuration folder:
//
//	folder := trust.Open(os.Getenv)
package trust
