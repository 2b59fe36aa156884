// Package price holds tables of the prices of models. Known returns the table that is built into the
// program; scripts/prices writes it. Read reads a table of the user. Find returns the price of a
// model on a day:
//
//	tariff, ok := price.Known().Find("openai", "gpt-5", time.Now())
//
// No price is guessed: a model that no table lists has no price.
package price
