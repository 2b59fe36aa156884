// Package trust holds what the user of this machine has decided, and no file from
// elsewhere can say: which model a run was made with, and which configuration
// files may name keys. It lives in the user's own configuration folder.
//
// Start at Open.
package trust
