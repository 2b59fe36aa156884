// Package verbatim is the vocabulary of the program: what a question, an answer,
// a reply, a grade and a record are. Every other package speaks in these types;
// this one imports only the standard library and does nothing but carry them.
//
// The way of the data: a Family draws Items; a Source turns them into Requests;
// a Model answers a Request with a Reply or fails with a Failure; a grader judges
// the Reply; the Record of all that is kept. Start reading at Item and Record.
package verbatim
