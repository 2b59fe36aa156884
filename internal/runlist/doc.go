// Package runlist lists the saved runs, and what a check of the database found about each. It is
// the result of the command runs, as text and for JSON.
package runlist
