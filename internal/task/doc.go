// Package task holds what is asked: the families, the suites, plans, and the
// order in which a plan asks its items.
//
// Start at Families, the one list of all families; each kind of task is a file
// of its own. Plan turns what a user asks for into a verbatim.Plan, which names
// its items completely; Open deals them in planned order, drawing each when it
// is needed. Items of users come from ReadItems.
package task
