// Package question makes items out of what a family of tasks draws. Start at Item; Foresee
// adds the answers of mistakes that are known before a model answers.
package question
