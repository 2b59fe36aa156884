// Package price holds tables of what models cost. Known returns the table that is
// part of the program; scripts/prices writes it. Read reads a table of the user's.
// Find looks up the price of a model on a day:
//
//	tariff, ok := price.Known().Find("openai", "gpt-5", time.Now())
//
// No price is guessed: a name that a table does not list has none.
package price
