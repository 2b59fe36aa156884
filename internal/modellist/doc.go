// Package modellist lists the models that can be named: those of the user's file, of
// providers with their prices, of servers that were found on this machine, and the built-in
// ones. It is the result of the command models, as text and for JSON.
package modellist
