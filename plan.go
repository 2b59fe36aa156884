package verbatim

import (
	"math/rand/v2"
	"strconv"
	"time"
)

// A Family draws items of one kind, at any length within its bounds.
type Family struct {
	Name    string // as typed on the command line: "reverse"
	Version int    // goes up whenever the same seed would draw another item
	Doc     string // one line
	Unit    string // what its length counts: "characters", "items" or "digits"
	// Min and Max bound the lengths that may be asked for; Max 0 is no bound.
	Min, Max int
	Ladder   []int // the lengths that are asked when none are named, shortest first
	// Task and Mode are SortBench's spellings, empty for other families.
	Task, Mode string
	// Item draws one item from r and the knobs alone: no clock, no map order, no
	// other randomness. It fills Prompt, Want, Source, Facts and Grader, not ID.
	Item func(r *rand.Rand, k Knobs) (Item, error)
}

// Knobs are the settings of a family that are part of an item's name.
type Knobs struct {
	Length  Lengths
	Edition Edition
}

// Lengths is a range of lengths, both ends included. Where Min < Max every item
// draws its own length, uniformly.
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

// A Plan is what is asked: it names its items and their order completely. Hash
// names the plan.
type Plan struct {
	Hash    string    `json:"hash"`  // lower-case hex, over all that follows
	Suite   string    `json:"suite"` // "quick", "simpe", "sortbench", "custom", "items"
	Seed    uint64    `json:"seed"`
	Edition Edition   `json:"edition"`
	Trials  int       `json:"trials"` // how often each item is asked
	Cells   []Cell    `json:"cells,omitempty"`
	Items   *ItemFile `json:"items,omitempty"` // instead of Cells
	// Variant is how the items' prompts are put; nil: as they are.
	Variant *Variant `json:"variant,omitempty"`
	Count   int64    `json:"count"` // requests in all: items times trials
}

// A Cell is a number of items of one family at one length or range of lengths.
type Cell struct {
	Family  string  `json:"family"`
	Version int     `json:"version"`
	Length  Lengths `json:"length"`
	N       int     `json:"n"`
	// Bands are the lengths that are reported together; none: each by itself.
	Bands []Lengths `json:"bands,omitempty"`
	// Grader overrules the family's grader, where the suite says so.
	Grader string `json:"grader,omitempty"`
}

// A Variant is a way to put the same items. It belongs to the plan and not to
// the item: the item keeps its bare prompt.
type Variant struct {
	// Shots is the number of examples, with their right answers, that go before
	// the question: other items of the same family, drawn for this one.
	Shots int `json:"shots,omitempty"`
	// Paraphrase names other wording of the family's question: "1" is the first; ""
	// is the official one.
	Paraphrase string `json:"paraphrase,omitempty"`
	// System is what the system prompt says; "" where there is none.
	System string `json:"system,omitempty"`
}

// An ItemFile names a file of items by its content.
type ItemFile struct {
	Name   string `json:"name"`   // base name, for people
	SHA256 string `json:"sha256"` // lower-case hex, of the bytes
	N      int    `json:"n"`      // items in it
}

// A Run is a plan asked of one model with one set of parameters.
type Run struct {
	N       int64 // the number that `runs` prints; 0 before it is kept
	Name    string
	Plan    Plan
	Model   string // as named on the command line
	Params  Params
	Price   *Price // what it was asked at when it was started; nil: not known
	Started time.Time
	Ended   time.Time // zero while it is not finished
	Tool    string    // version of the program that started it
	// Origin is empty for runs that were asked here, else where the replies came
	// from: "sortbench", "simpe".
	Origin string
	// Test is what the run is asked for; nil: to have its whole plan answered.
	Test *Test
}

// A Test is the purpose of a run that asks as much of its plan as a question
// takes: the asking ends with a verdict or an estimate. Runs with different
// Tests, the last two fields apart, are different runs.
type Test struct {
	Kind     string `json:"kind"`               // "check", "until-verdict" or "horizon"
	Baseline string `json:"baseline,omitempty"` // the name of the run that it compares with
	// Settings are what the test's error rates rest on, such as its margin.
	Settings map[string]string `json:"settings,omitempty"`
	// Verdict is empty while the test is open: then the same command goes on with
	// it. A closed test is never extended.
	Verdict string    `json:"verdict,omitempty"`
	Closed  time.Time `json:"closed,omitzero"`
}

// A Source plans. Next is told what was kept since the last call, in planned
// order, and says what to ask next; nil, nil ends the run. An empty, non-nil
// slice means: nothing now, call again when more is kept, and is an error while
// nothing is in flight. It is called from one goroutine.
type Source interface {
	Next(done []Record) ([]Request, error)
}
