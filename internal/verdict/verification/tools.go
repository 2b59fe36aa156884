package verification

import (
	"fmt"
	"net/http"
	"strings"
	"sync"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/jsonschema"
)

// ToolItems is the number of objects that each side is asked for as the arguments of a tool. Ten
// that one side alone answers right are a difference at the default level, fewer are none.
const ToolItems = 12

// A ToolConfig is the settings of a ToolTest.
type ToolConfig struct {
	Seed   uint64 // of the objects
	Params verbatim.Params
	// Limits returns the token limits of an item: of the reply, and of its content.
	Limits func(*verbatim.Item) (reply, content int)
	// MostMissing is the number of requests of a side that may have no reply. Above it, no side
	// gets more.
	MostMissing float64
	Upstream    Upstream // who served a reply; nil: not needed
	Arm         Arm      // its zero value is DefaultArm
}

// A ToolTest asks both sides for the same objects as the arguments of a tool. What they answer is
// no probe of its own: it counts in the test of exact answers.
type ToolTest struct {
	ToolConfig
	items []verbatim.Item
	tool  verbatim.Structure // the schema of all objects

	mu    sync.Mutex
	calls [2][]toolCall
	sides [2]struct{ next, inFlight int }
}

// A toolCall is what became of a request.
type toolCall struct {
	state    state
	refused  bool // by the server, which says that it takes no such request
	called   bool // the reply is the call of a tool
	exact    bool // its arguments are the object
	upstream string
}

// NewTools returns a ToolTest that has sent nothing.
func NewTools(c ToolConfig) *ToolTest {
	if c.Arm == (Arm{}) {
		c.Arm = DefaultArm()
	}
	t := &ToolTest{ToolConfig: c}
	r := draw.Rand("verify-tools", 1, "", c.Seed, 0)
	for i := range ToolItems {
		object := draw.Arguments(r, fmt.Sprintf("%016x", r.Uint64()), draw.MildWords().Draw)
		schema, ok := jsonschema.Of(object)
		if !ok {
			panic("verification: an object without a schema: " + object)
		}
		t.tool = verbatim.Structure{As: verbatim.AsTool, Schema: schema}
		text := "Call the tool with this object as its arguments. Copy the object exactly. Write nothing else.\n\n" + object
		t.items = append(t.items, verbatim.Item{
			ID:     fmt.Sprintf("verify-tools@1/%d", i),
			Prompt: c.Arm.Nonced(c.Seed, text, verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}}),
			Want:   verbatim.TextAnswer(object),
			Grader: "json",
			Facts:  map[string]string{verbatim.FactFamily: "verify-tools"},
		})
	}
	for side := range t.calls {
		t.calls[side] = make([]toolCall, len(t.items))
	}
	return t
}

// Items returns the items of the requests in their order. They are the same for both sides.
func (t *ToolTest) Items() []verbatim.Item { return t.items }

// Resume adds a saved record of a side. Records without a reply are left out.
func (t *ToolTest) Resume(side int, rec *verbatim.Record) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if rec.Reply != nil && rec.Outcome.Answered() {
		t.set(side, rec)
	}
}

func (t *ToolTest) set(side int, rec *verbatim.Record) {
	if rec.Seq < 0 || rec.Seq >= int64(len(t.items)) {
		return
	}
	c := toolCall{state: missing, refused: refusesTools(rec.Failure)}
	if rec.Reply != nil && rec.Outcome.Answered() {
		called := rec.Reply.Finish == verbatim.FinishCall
		c = toolCall{state: replied, called: called, exact: called && rec.Grade != nil && rec.Grade.Exact, upstream: t.Upstream.of(rec)}
	}
	t.calls[side][rec.Seq] = c
}

// refusesTools reports whether a server takes no request with a tool: it says that the request is
// wrong, or that there is no such feature. Some do so with a server error that names the tools.
func refusesTools(f *verbatim.Failure) bool {
	switch {
	case f == nil:
		return false
	case f.Status == http.StatusBadRequest, f.Status == http.StatusNotFound, f.Status == http.StatusUnprocessableEntity, f.Status == http.StatusNotImplemented:
		return true
	}
	return f.Status >= http.StatusInternalServerError && strings.Contains(strings.ToLower(f.Error()), "tool")
}

// Source returns the Source of a side, 0 or 1.
func (t *ToolTest) Source(side int) verbatim.Source { return &toolSource{t, side} }

type toolSource struct {
	test *ToolTest
	side int
}

// Next implements verbatim.Source. As many requests are in flight as for the first reply to a prompt.
func (s *toolSource) Next(done []verbatim.Record) ([]verbatim.Request, error) {
	t := s.test
	t.mu.Lock()
	defer t.mu.Unlock()
	me := &t.sides[s.side]
	for i := range done {
		me.inFlight--
		t.set(s.side, &done[i])
	}
	requests := []verbatim.Request{}
	for me.inFlight < t.Arm.Concurrency && me.next < len(t.items) && t.refusing() == nil && !t.tooManyMissing() {
		i := me.next
		me.next++
		if t.calls[s.side][i].state != open {
			continue // saved by an earlier call
		}
		me.inFlight++
		r := verbatim.Request{Seq: int64(i), Attempt: 1, Item: &t.items[i], Prompt: t.items[i].Prompt, Params: t.Params}
		r.Params.Structure = &t.tool
		r.MaxTokens, r.ContentTokens = t.Limits(r.Item)
		requests = append(requests, r)
	}
	if len(requests) == 0 && me.inFlight == 0 {
		return nil, nil
	}
	return requests, nil
}

// refusing lists the sides that refuse tools.
func (t *ToolTest) refusing() (sides []int) {
	for side := range t.calls {
		refused := 0
		for _, c := range t.calls[side] {
			if c.state == replied {
				refused = -len(t.items)
			}
			if c.refused {
				refused++
			}
		}
		if refused >= min(attempts, len(t.items)) {
			sides = append(sides, side)
		}
	}
	return sides
}

// tooManyMissing reports whether a side has lost so many requests that there will be no verdict.
// Those that a side refuses are not lost before it has answered one.
func (t *ToolTest) tooManyMissing() bool {
	for side := range t.calls {
		lost, replies := 0, false
		for _, c := range t.calls[side] {
			replies = replies || c.state == replied
		}
		for _, c := range t.calls[side] {
			if c.state == missing && (replies || !c.refused) {
				lost++
			}
		}
		if float64(lost) > t.MostMissing {
			return true
		}
	}
	return false
}

// Refusal says which sides, by their names, refuse tools; "" if none does.
func (t *ToolTest) Refusal(names [2]string) string {
	t.mu.Lock()
	defer t.mu.Unlock()
	var parts []string
	for _, side := range t.refusing() {
		parts = append(parts, names[side]+" refuses them")
	}
	return strings.Join(parts, "; ")
}

// A ToolResult is what the calls of a tool show. Each list has an entry for each side.
type ToolResult struct {
	// Planned is the number of objects, and Items those with a reply of both sides.
	Planned int `json:"planned"`
	Items   int `json:"items"`
	// Called is the number of replies that call the tool, and Exact those whose arguments are
	// the object, of Items. ExactAlone is the number of objects that one side alone has right.
	Called     [2]int `json:"called"`
	Exact      [2]int `json:"exact"`
	ExactAlone [2]int `json:"exact_alone"`
	// Calls is the number of replies of both sides, and Unanswered that of requests without one.
	Calls      int    `json:"calls"`
	Unanswered [2]int `json:"unanswered"`
	Finished   bool   `json:"finished"`

	pairs [][2]toolCall
}

// Result returns what the calls so far show.
func (t *ToolTest) Result() *ToolResult {
	t.mu.Lock()
	defer t.mu.Unlock()
	r := &ToolResult{Planned: len(t.items), Finished: true}
	for i := range t.items {
		pair := [2]toolCall{t.calls[0][i], t.calls[1][i]}
		for side, c := range pair {
			switch c.state {
			case open:
				r.Finished = false
			case replied:
				r.Calls++
			case missing:
				r.Unanswered[side]++
			}
		}
		if pair[0].state == replied && pair[1].state == replied {
			r.add(pair)
		}
	}
	return r
}

// add counts an object with a reply of both sides.
func (r *ToolResult) add(pair [2]toolCall) {
	r.Items++
	r.pairs = append(r.pairs, pair)
	for side, c := range pair {
		if c.called {
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

// Progress returns the number of calls of both sides that have ended, and of all.
func (t *ToolTest) Progress() (ended, all int) {
	r := t.Result()
	return r.Calls + r.Unanswered[0] + r.Unanswered[1], 2 * r.Planned
}

// Ended reports whether nothing is left to send.
func (t *ToolTest) Ended() bool {
	finished := t.Result().Finished
	t.mu.Lock()
	defer t.mu.Unlock()
	return finished || t.refusing() != nil
}

// addTool counts the replies to a request for a tool, if they belong to the stratum.
func (s *stratum) addTool(pair [2]toolCall) {
	if pair[0].upstream != s.upstreams[0] || pair[1].upstream != s.upstreams[1] {
		return
	}
	s.addExact(pair[0].exact, pair[1].exact)
}
