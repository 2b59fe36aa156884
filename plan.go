package verbatim

import "time"

// A Plan defines the items of a run and their order completely.
type Plan struct {
	Hash    string    `json:"hash"`  // of all other fields, lower-case hex; it names the plan
	Suite   string    `json:"suite"` // "quick", "simpe", "sortbench", "custom", "items"
	Seed    uint64    `json:"seed"`
	Edition Edition   `json:"edition"`
	Trials  int       `json:"trials"` // requests for each item
	Cells   []Cell    `json:"cells,omitempty"`
	Items   *ItemFile `json:"items,omitempty"` // instead of Cells
	// Variant changes the items' prompts; nil: unchanged.
	Variant *Variant `json:"variant,omitempty"`
	Count   int64    `json:"count"` // requests: items times trials
}

// A Cell is a number of items of one family at one length or range of lengths.
type Cell struct {
	Family  string  `json:"family"`
	Version int     `json:"version"`
	Length  Lengths `json:"length"`
	N       int     `json:"n"`
	// Bands are ranges of lengths that are reported as one; empty: each length by itself.
	Bands []Lengths `json:"bands,omitempty"`
	// Grader replaces the family's grader, if the suite has another.
	Grader string `json:"grader,omitempty"`
	// Distinct leaves out items with the same question as an earlier one of the cell. There are few
	// different ones of its length. The indexes of items have gaps then.
	Distinct bool `json:"distinct,omitempty"`
}

// A Variant is a prompt variant: changes to the prompts of a plan that leave the items
// themselves unchanged.
type Variant struct {
	// Shots is the number of examples with their right answers before the question. They are other
	// items of the same family, drawn for each item.
	Shots int `json:"shots,omitempty"`
	// Paraphrase names another wording of the family's question: "1" is the first paraphrase, ""
	// the official wording. SpreadOver spreads the items over several.
	Paraphrase string `json:"paraphrase,omitempty"`
	// System is the system prompt; "": unchanged.
	System string `json:"system,omitempty"`
	// As is the form in which JSON answers are requested; "": text.
	As StructureKind `json:"as,omitempty"`
}

// An ItemFile names a file of items by its content.
type ItemFile struct {
	Name   string `json:"name"`   // base name, for people
	SHA256 string `json:"sha256"` // lower-case hex, of the bytes
	N      int    `json:"n"`      // items in it
}

// A Run is a plan for one model with one set of parameters.
type Run struct {
	N       int64     `json:"-"` // its number in the database; 0 before it is saved
	Name    string    `json:"name"`
	Plan    Plan      `json:"plan"`
	Model   string    `json:"model"` // the name on the command line
	Params  Params    `json:"params"`
	Price   *Price    `json:"price,omitempty"` // the price at the start; nil: unknown
	Started time.Time `json:"started,omitzero"`
	Ended   time.Time `json:"ended,omitzero"` // zero while it is not finished
	Tool    string    `json:"tool,omitempty"` // version of the program that started it
	// Origin is the source of imported replies, such as "sortbench"; empty for runs of
	// this program.
	Origin string `json:"origin,omitempty"`
	// Test is the test that the run belongs to; nil: the run sends its whole plan.
	Test *Test `json:"test,omitempty"`
	Load *Load `json:"load,omitempty"` // nil: unknown
}

// A Test is the purpose of a run that ends with a verdict or an estimate, before its plan is
// complete. Runs whose Tests differ in Kind, Baseline or Settings are different runs.
type Test struct {
	Kind     string `json:"kind"`               // "check", "until-verdict" or "horizon"
	Baseline string `json:"baseline,omitempty"` // the name of the run that it compares with
	// Settings, such as the margin, determine the test's error rates.
	Settings map[string]string `json:"settings,omitempty"`
	// Verdict is empty while the test is open: the same command continues it. A closed
	// test is never extended.
	Verdict string    `json:"verdict,omitempty"`
	Closed  time.Time `json:"closed,omitzero"`
	// State is the data with which a later test of this kind continues; "": the records of the run
	// have all of them. It is saved with the verdict.
	State string `json:"state,omitempty"`
}

// WithoutState returns a copy without the state, which is of no use to people.
func (t *Test) WithoutState() *Test {
	c := *t
	c.State = ""
	return &c
}

// A Source chooses the requests of a run.
type Source interface {
	// Next gets the records that were saved since the last call, in planned order, and returns the
	// next requests. A nil slice ends the run. An empty slice that is not nil means: call again
	// when more records are saved. It must not be returned while no request is in flight. Next is
	// called from one goroutine.
	Next(done []Record) ([]Request, error)
}
