// Package terminal lays text out for terminals and protects them.
//
// Protection has two layers. Visible turns whatever a model, a server or a file wrote
// into one line that no terminal obeys. A Filter does the same for a whole stream, so
// that text which was not passed through Visible does no harm either. It lets through
// the colours that carry the Seal of this process.
//
// Layout counts columns and not bytes: Width, PadLeft, PadRight, Truncate and Wrap.
// A Style says how many columns there are and whether colours are wanted.
package terminal
