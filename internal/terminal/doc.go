// Package terminal lays text out for terminals, and protects terminals from text.
//
// The protection has two layers. Visible turns text of a model, a server or a file into one line
// that no terminal obeys. A Filter does the same for a whole stream, so that text which did not
// pass through Visible does no harm either. It lets colours with the Seal of this process pass.
//
// Layout counts columns, not bytes: Width, PadLeft, PadRight, Truncate and Wrap. A Style holds the
// number of columns, and whether to use colours.
package terminal
