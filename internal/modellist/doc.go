// Package modellist lists the models that can be named: those of the user's file, of
// providers with their prices, of servers that were found on this machine, and the built-in
// ones. It is the result of the command models: New makes the List, Matching selects from it,
// and WriteOverview, WriteDetails and Document print it.
package modellist
