// Package asked describes what a question asks for: the format of its answer and its input, as far as they are known before
// the reply is read. Package extract finds answers by it.
//
// A Question comes from OfText for texts and from OfList for lists.
package asked
