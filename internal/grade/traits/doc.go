// Package traits finds what all graders ask about a reply, whatever its answer: flags,
// refusals and loops. Outcome maps a verdict to one of the six outcomes.
package traits
