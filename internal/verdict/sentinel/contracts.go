package sentinel

import (
	"slices"
	"strings"

	"verbatim/internal/verdict/preflight"
)

// Contracts is the result of a test of contracts. Those that could not be tested are in neither list.
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

// A ContractTest tests the watched contracts with the calls of package preflight.
type ContractTest struct{ *preflight.Test }

// NewContractTest returns a ContractTest that has sent nothing.
func NewContractTest(c preflight.Config) *ContractTest {
	c.Only = watched()
	return &ContractTest{preflight.New(c)}
}

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

// Keep notes the contracts that held when the watch began.
func (w *Watch) Keep(c Contracts) {
	for _, name := range c.Held {
		w.held[name] = true
	}
}

// AddContracts adds the result of a test of contracts to a date. A contract that held before and is
// broken now is an alarm. The error is that the horizon is over.
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
