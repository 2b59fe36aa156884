// Package recordview shows one record: what was sent, what was expected, what came
// back, how it was graded, and where the reply differs from the expected answer.
//
// New computes a View, which is also the JSON form. WriteText lays it out for a
// terminal; package page lays it out as HTML. A Difference aligns the expected answer
// with the reply, character by character or item by item. Its work is bounded whatever
// the reply holds. Explain gives a sentence for every failure label.
package recordview
