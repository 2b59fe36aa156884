package verdict

import (
	"strings"

	"verbatim"
)

// Simulated reports whether a run asked a model that knows the right answers and
// spoils some of them.
func Simulated(r *verbatim.Run) bool { return strings.HasPrefix(r.Model, "sim:") }

// Nano reports whether a run asked the small language model that is part of this
// program. It was trained on tasks of the kinds that are asked here, so that its place
// among other models would mean nothing. A model of the same name in the results of
// another program is another one.
func Nano(r *verbatim.Run) bool { return r.Model == "nano" && (r.Origin == "" || r.Tool != "") }

// BuiltIn reports whether the model of a run is part of this program.
func BuiltIn(r *verbatim.Run) bool { return Simulated(r) || Nano(r) }

// nanoBarred is why nano is not ranked among others.
const NanoUnranked = "it is built into this program and was trained on tasks of these kinds"
