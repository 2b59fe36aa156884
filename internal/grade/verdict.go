package grade

// A verdict is what a rule says about one reply.
type verdict struct {
	label, detail string
	exact         bool
	extracted     bool
	wrapped       bool   // extracted holds because a wrapper was removed
	gradedText    string // the stripped reply, or what follows reasoning leaked into it
	pair          *pair  // nil where the label needed no comparison
}
