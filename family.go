package verbatim

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
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
	// or other randomness. It sets Prompt, Inputs, Want, Source, Facts and Grader, not ID.
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
	System string // the system prompt; "" without one
	Text   string // the user's message; {name} stands for the input of that name
}

// Inputs are what an item puts into the wordings of its family, by name: a text, a number, a list.
type Inputs map[string]string

// Split returns the texts of the user's message and the names of the inputs between them.
func (w Wording) Split() (texts, inputs []string) {
	start := 0
	for i, c := range w.Text {
		if c != '{' {
			continue
		}
		name, _, closed := strings.Cut(w.Text[i+1:], "}")
		if closed && name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz") == "" {
			texts, inputs = append(texts, w.Text[start:i]), append(inputs, name)
			start = i + len("{}") + len(name)
		}
	}
	return append(texts, w.Text[start:]), inputs
}

// Prompt returns the prompt with the inputs in their places. It panics if the wording names an input that
// is not there, or leaves one out: all wordings of a family show the same.
func (w Wording) Prompt(in Inputs) Prompt {
	texts, names := w.Split()
	text := texts[0]
	for i, name := range names {
		value, ok := in[name]
		if !ok {
			panic("verbatim: the wording has an unknown input {" + name + "}: " + w.Text)
		}
		text += value + texts[i+1]
	}
	for name := range in {
		if !slices.Contains(names, name) {
			panic("verbatim: the wording leaves out {" + name + "}: " + w.Text)
		}
	}
	user := Message{Role: "user", Content: []Part{{Text: text}}}
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
