package library

import (
	"verbatim"
	"verbatim/internal/verdict"
)

// BuiltInNote returns the note that must be next to all numbers of a model that is part of
// this program; "" for others.
func BuiltInNote(r *verbatim.Run) string {
	switch {
	case verdict.Simulated(r):
		return "simulated: made from the right answers, no model was asked"
	case verdict.Nano(r):
		return "built into this program and trained on tasks of these kinds: its scores say nothing about other models"
	}
	return ""
}
