package verification

import (
	"fmt"
	"net/http"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/jsonschema"
)

// ToolItems is the number of objects that each side is asked for as the arguments of a tool. At the
// default level it is a difference if one side alone has ten of them right, and none if it is fewer.
const ToolItems = 12

// A ToolConfig is the settings of a toolTest.
type ToolConfig struct {
	Seed   uint64 // of the objects
	Params verbatim.Params
	// Limits returns the token limits of an item: of the reply, and of its content.
	Limits func(*verbatim.Item) (reply, content int)
	// MostMissing is the largest number of requests of a side that may have no reply. Above it,
	// neither side gets more.
	MostMissing float64
	Upstream    Upstream // names who served a reply; nil: not needed
}

// A toolTest asks both sides for the same objects as the arguments of a tool. It is no probe of
// its own: the replies count in the test of exact answers.
type toolTest struct {
	callList
	ToolConfig
	tool verbatim.Structure // the schema of all objects
}

// NewTools returns a toolTest that has sent nothing.
func NewTools(c ToolConfig) *toolTest {
	t := &toolTest{ToolConfig: c}
	t.Apart(c.Upstream)
	var items []verbatim.Item
	r := draw.Rand("verify-tools", 1, "", c.Seed, 0)
	for i := range ToolItems {
		object := draw.Arguments(r, fmt.Sprintf("%016x", r.Uint64()), draw.MildWords().Draw)
		schema, ok := jsonschema.Of(object)
		if !ok {
			panic("verification: an object without a schema: " + object)
		}
		t.tool = verbatim.Structure{As: verbatim.AsTool, Schema: schema}
		text := "Call the tool with this object as its arguments. Copy the object exactly. Write nothing else.\n\n" + object
		items = append(items, verbatim.Item{
			ID:     fmt.Sprintf("verify-tools@1/%d", i),
			Prompt: userPrompt(text),
			Want:   verbatim.TextAnswer(object),
			Grader: "json",
			Facts:  map[string]string{verbatim.FactFamily: "verify-tools"},
		})
	}
	t.plan(t, items)
	return t
}

func (t *toolTest) read(rec *verbatim.Record) call {
	if !answered(rec) {
		return call{refused: refusesTools(rec.Failure)}
	}
	tool := rec.Reply.Finish == verbatim.FinishCall
	return call{tool: tool, exact: tool && rec.Grade != nil && rec.Grade.Exact}
}

// refusesTools reports whether a server refuses requests with a tool: by a status that says that the
// request is wrong or the feature missing, or by a server error that names the tools.
func refusesTools(f *verbatim.Failure) bool {
	switch {
	case f == nil:
		return false
	case f.Status == http.StatusBadRequest, f.Status == http.StatusNotFound, f.Status == http.StatusUnprocessableEntity, f.Status == http.StatusNotImplemented:
		return true
	}
	return f.Status >= http.StatusInternalServerError && strings.Contains(strings.ToLower(f.Error()), "tool")
}

func (t *toolTest) stopped() bool { return t.refusing() != nil || t.tooManyMissing() }

func (t *toolTest) inFlight(int) int { return 1 }

func (t *toolTest) request(i int) verbatim.Request {
	r := t.newRequest(i, t.Params)
	r.Params.Structure = &t.tool
	r.MaxTokens, r.ContentTokens = t.Limits(r.Item)
	return r
}

// tooManyMissing reports whether so many requests of a side have no reply that there will be no
// verdict. Requests that a side refuses do not count before it has answered one.
func (t *toolTest) tooManyMissing() bool {
	for side := range t.calls {
		lost, anyReply := 0, t.count(side, replied) > 0
		for _, c := range t.calls[side] {
			if c.state == missing && (anyReply || !c.refused) {
				lost++
			}
		}
		if float64(lost) > t.MostMissing {
			return true
		}
	}
	return false
}

// Refusal says which of the named sides refuse tools; "" if none does.
func (t *toolTest) Refusal(names [2]string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []string
	for _, side := range t.refusing() {
		parts = append(parts, names[side]+" refuses them")
	}
	return strings.Join(parts, "; ")
}

// A toolResult is what the calls of a tool show. Each list has an entry for each side.
type toolResult struct {
	// Planned is the number of objects, and Items the number of those with a reply of both sides.
	Planned int `json:"planned"`
	Items   int `json:"items"`
	// Called and Exact are numbers of Items: those where the reply calls the tool, and those where
	// its arguments are the object. ExactAlone is the number of Items that one side alone has right.
	Called     [2]int `json:"called"`
	Exact      [2]int `json:"exact"`
	ExactAlone [2]int `json:"exact_alone"`
	// Calls is the number of replies of both sides, and Unanswered the number of requests without
	// a reply.
	Calls      int    `json:"calls"`
	Unanswered [2]int `json:"unanswered"`
	Finished   bool   `json:"finished"`

	pairs [][2]call
}

// Result returns what the calls so far show.
func (t *toolTest) Result() *toolResult {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &toolResult{Planned: len(t.items), Finished: t.complete()}
	for side := range t.calls {
		r.Calls += t.count(side, replied)
		r.Unanswered[side] = t.count(side, missing)
	}
	for i := range t.items {
		if pair := [2]call{t.calls[0][i], t.calls[1][i]}; pair[0].state == replied && pair[1].state == replied {
			r.add(pair)
		}
	}
	return r
}

// add counts an object with a reply of both sides.
func (r *toolResult) add(pair [2]call) {
	r.Items++
	r.pairs = append(r.pairs, pair)
	for side, c := range pair {
		if c.tool {
			r.Called[side]++
		}
		if c.exact {
			r.Exact[side]++
			if !pair[1-side].exact {
				r.ExactAlone[side]++
			}
		}
	}
}

// Ended reports whether nothing is left to send.
func (t *toolTest) Ended() bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.complete() || t.refusing() != nil
}

// addTool counts the replies to a request for a tool, if they belong to the stratum.
func (s *stratum) addTool(pair [2]call) {
	if pair[0].upstream != s.upstreams[0] || pair[1].upstream != s.upstreams[1] {
		return
	}
	s.addExact(pair[0].exact, pair[1].exact)
}
