package sentinel

import (
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/verdict/preflight"
)

// Contracts is what a test of contracts showed. Those that could not be tested are in neither list.
type Contracts struct {
	Held   []string `json:"held,omitempty"`
	Broken []string `json:"broken,omitempty"` // by two calls each
}

const (
	// ContractDays is the number of days between two tests of contracts.
	ContractDays = 7
	// MaxContractCalls is the largest number of calls of a test of contracts.
	MaxContractCalls = 7
)

// watched are the contracts that a watch tests: no model breaks them by itself.
func watched() []preflight.Contract {
	return []preflight.Contract{preflight.TokenLimit, preflight.Stop, preflight.System}
}

// A ContractTest sends the calls of some contracts of package preflight. The other calls count as
// lost.
type ContractTest struct {
	*preflight.Test
	calls []preflight.Call
	ended int
}

// NewContractTest returns a ContractTest that has sent nothing.
func NewContractTest(c preflight.Config) *ContractTest {
	return &ContractTest{Test: preflight.New(c), calls: preflight.Calls(c)}
}

// Next implements verbatim.Source.
func (t *ContractTest) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	t.ended += len(done)
	for {
		requests, err := t.Test.Next(done)
		if err != nil || len(requests) == 0 {
			return requests, err
		}
		done = nil
		for _, r := range requests {
			if !slices.Contains(watched(), t.calls[r.Seq].Contract) {
				done = append(done, verbatim.Record{Seq: r.Seq, Outcome: verbatim.Skipped})
			}
		}
		if len(done) == 0 {
			return requests, nil
		}
	}
}

// Progress returns the number of calls that have ended, and the most that may be sent.
func (t *ContractTest) Progress() (ended, all int) { return t.ended, MaxContractCalls }

const (
	heldList   = "held: "
	brokenList = "broken: "
	noContract = "not testable"
)

// Verdict returns the contracts that held and those that are broken, as ReadContracts reads them;
// "" while calls are left.
func (t *ContractTest) Verdict() string {
	r := t.Result()
	if !r.Finished {
		return ""
	}
	var c Contracts
	for _, line := range r.Lines {
		switch name := string(line.Contract); {
		case !slices.Contains(watched(), line.Contract):
		case line.State == preflight.Held:
			c.Held = append(c.Held, name)
		case line.State == preflight.Broken:
			c.Broken = append(c.Broken, name)
		}
	}
	var parts []string
	if len(c.Held) > 0 {
		parts = append(parts, heldList+strings.Join(c.Held, ", "))
	}
	if len(c.Broken) > 0 {
		parts = append(parts, brokenList+strings.Join(c.Broken, ", "))
	}
	if len(parts) == 0 {
		return noContract
	}
	return strings.Join(parts, "; ")
}

// ReadContracts reads the verdict of a ContractTest.
func ReadContracts(verdict string) (c Contracts) {
	for part := range strings.SplitSeq(verdict, "; ") {
		if list, ok := strings.CutPrefix(part, heldList); ok {
			c.Held = strings.Split(list, ", ")
		}
		if list, ok := strings.CutPrefix(part, brokenList); ok {
			c.Broken = strings.Split(list, ", ")
		}
	}
	return c
}

// Keep adds what a test of contracts showed when the watch began.
func (w *Watch) Keep(c Contracts) {
	for _, name := range c.Held {
		w.held[name] = true
	}
}

// AddContracts adds what the test of contracts of a date showed. A contract that held before and is
// broken now is an alarm.
func (w *Watch) AddContracts(date string, c Contracts) error {
	day, err := w.next(date)
	if err != nil {
		return err
	}
	day.Contracts = &c
	for _, name := range c.Broken {
		if w.held[name] {
			w.raise("a contract that held is broken: " + name)
		}
	}
	w.Keep(c)
	return nil
}
