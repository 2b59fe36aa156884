package verdict

import (
	"strings"

	"verbatim"
)

// Simulated reports whether the model of a run is simulated: it knows the right answers
// and spoils some of them.
func Simulated(r *verbatim.Run) bool { return strings.HasPrefix(r.Model, "sim:") }

// Nano reports whether the model of a run is nano, the small language model of this
// program. It was trained on some of its tasks, so a rank among other models would mean
// nothing. A model of that name in the results of another program is a different one.
func Nano(r *verbatim.Run) bool { return r.Model == "nano" && (r.Origin == "" || r.Tool != "") }

// BuiltIn reports whether the model of a run is part of this program.
func BuiltIn(r *verbatim.Run) bool { return Simulated(r) || Nano(r) }

// NanoUnranked is the reason why nano is not ranked among other models.
const NanoUnranked = "it is built into this program and was trained on some of its tasks"
