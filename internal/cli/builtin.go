package cli

import (
	"verbatim"
	"verbatim/internal/verdict"
)

// builtIn returns what must be said wherever the numbers of a model appear that is part
// of this program; "" for others.
func builtIn(r *verbatim.Run) string {
	switch {
	case verdict.Simulated(r):
		return "simulated: made from the right answers, no model was asked"
	case verdict.Nano(r):
		return "built into this program and trained on tasks of these kinds: its scores say nothing about other models"
	}
	return ""
}
