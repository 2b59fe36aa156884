// Package reasoning separates reasoning that a model writes inside its text, between
// tags such as <think> and </think>, from the answer:
//
//	tags, err := reasoning.ParseTags("<think>,</think>")
//	tags.Split(&reply)
//
// Afterwards the reply has the reasoning in its own field. Cut, End and ContentStart find the end of
// reasoning that is still in a text.
package reasoning
