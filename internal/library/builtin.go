package library

import (
	"strings"

	"verbatim"
	"verbatim/internal/obedient"
	"verbatim/internal/verdict"
)

// BuiltInNote returns the note that must be next to all numbers of a model inside this program; ""
// for other models.
func BuiltInNote(r *verbatim.Run) string {
	switch {
	case strings.HasPrefix(r.Model, "sim:"+obedient.Name):
		return "simulated: it does what prompts say, no model was asked"
	case verdict.Simulated(r):
		return "simulated: made from the right answers, no model was asked"
	case verdict.Nano(r):
		return "built into this program and trained on some of its tasks: its scores say nothing about other models"
	}
	return ""
}
