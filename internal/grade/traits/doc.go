// Package traits finds what all graders need to know about a reply, whatever its answer: its flags,
// whether it refuses, and whether it loops. Outcome maps a verdict to an outcome, NonAnswer labels a reply
// without an answer, and Mistake finds the mistakes that an item foresees. Label is the name of a failure
// with its meaning.
package traits
