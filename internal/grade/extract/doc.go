// Package extract finds the answer that a reply commits to, without knowing the right
// one. Start at Find: for a reply, its finish reason and a Question it returns the place
// of the answer and the name of the rule that found it, or false.
//
// A Question holds what the prompt shows: the kind of answer, its format and the
// input. With another expected answer of the same format, the result is the same.
//
// The answer is the whole reply without its wrapping (whole.go, layer.go), or the best candidate in it.
// Candidates are texts (text.go; within sentences sentence.go, piece.go, bare.go, like.go and onlyword.go),
// texts of several lines (lines.go), numbers (integer.go), cells of tables (table.go) and lists
// (list.go, plainlist.go). The words around a value decide its strength (context.go; words.go and
// phrases.go have the words). The strongest candidate wins, of equal ones the last (find.go).
package extract
