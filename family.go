package verbatim

import (
	"math/rand/v2"
	"strconv"
)

// A Family draws the items of one task, at any length within its bounds. It is the only
// declaration of a task: commands, suites and pages derive from it.
type Family struct {
	Name    string   // as typed on the command line: "reverse"
	Version int      // goes up when the same seed would draw another item
	Doc     string   // what the model has to do, in one line
	About   string   // what its facts mean and what goes wrong, in a few sentences; may be ""
	Aliases []string // other names that the command line accepts
	Unit    string   // what its length counts: "characters", "items" or "digits"
	// Min and Max bound the lengths; Max 0 is no bound.
	Min, Max       int
	DefaultLengths []int // the lengths of a plan that names none, shortest first; four or more, from 2 on
	// Few is the greatest length with so few different items that 10,000 draws repeat some; 0: no
	// such length. A plan leaves the repeated ones out.
	Few int
	// Knobs are facts of its items, in addition to the length, that make them harder. The one
	// with the greatest effect is first.
	Knobs []Knob
	// Wordings are the ways to ask the question, the official one first. A released
	// wording is never changed and never moved: a new one goes to the end.
	Wordings []Wording
	// Call is the wording that asks for the answer as the arguments of a tool. It is empty
	// unless the answers are JSON objects.
	Call Wording
	// Task and Mode are SortBench's spellings, empty for other families.
	Task, Mode string
	// Item draws one item. It depends on r and the parameters only: on no clock, map order
	// or other randomness. It sets Prompt, Want, Source, Facts and Grader, not ID.
	Item func(r *rand.Rand, p Parameters) (Item, error)
}

// A Knob is a fact of items with its values, from the easiest to the hardest.
type Knob struct {
	Fact   string
	Values []string
}

// Parameters are the settings of a family that are part of an item's name.
type Parameters struct {
	Length  Lengths
	Edition Edition
}

// A Wording is one way to ask a family's question. All wordings of a family demand
// the same answer in the same notation, and nothing else.
type Wording struct {
	System        string // the system prompt; "" without one
	Before, After string // around the input, in the user's message
}

// Prompt returns the prompt about an input: the text, the numbers or the list.
func (w Wording) Prompt(input string) Prompt {
	user := Message{Role: "user", Content: []Part{{Text: w.Before + input + w.After}}}
	if w.System == "" {
		return Prompt{user}
	}
	return Prompt{{Role: "system", Content: []Part{{Text: w.System}}}, user}
}

// Lengths is a range of lengths, both ends included. If Min < Max, every item draws its
// own length uniformly.
type Lengths struct {
	Min int `json:"min"`
	Max int `json:"max"`
}

// String returns "16" or "2..30", the form that items' names use.
func (l Lengths) String() string {
	if l.Min == l.Max {
		return strconv.Itoa(l.Min)
	}
	return strconv.Itoa(l.Min) + ".." + strconv.Itoa(l.Max)
}
