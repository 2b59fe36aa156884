package sentinel

import (
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/stats/change"
	"verbatim/internal/upstream"
)

// item returns an item with a prompt, whose replies are not graded.
func item(name, prompt string) verbatim.Item {
	return verbatim.Item{
		ID:     "sentinel@2/" + name,
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: prompt}}}},
		Want:   verbatim.TextAnswer("-"),
		Facts:  map[string]string{verbatim.FactFamily: "sentinel"},
	}
}

// promptOf returns the prompt of a saved record; "" if it has none.
func promptOf(rec *verbatim.Record) string {
	if rec.Item == nil || len(rec.Item.Prompt) == 0 || len(rec.Item.Prompt[0].Content) == 0 {
		return ""
	}
	return rec.Item.Prompt[0].Content[0].Text
}

// nameOf returns the name of the item of a record, without family and version. Every version of the
// program reads names, while the positions in a plan are those of one version.
func nameOf(rec *verbatim.Record) string {
	if rec.Item == nil {
		return ""
	}
	family, name, _ := strings.Cut(rec.Item.ID, "/")
	if !strings.HasPrefix(family, "sentinel@") {
		return ""
	}
	return name
}

// scan reads the numbers of a name after its first word.
func scan(name, first string) (a, b int, ok bool) {
	n, err := fmt.Sscanf(name, first+"/%d/%d", &a, &b)
	return a, b, err == nil && n == 2 && a >= 0 && b >= 0
}

// A call is what became of one call.
type call struct {
	state        callState
	answer       string
	gap          float64 // between the two most probable first tokens, in nats; negative: no log probabilities
	list         change.LogProbs
	promptTokens *int64
	served       string // model name and fingerprint
	upstream     string // "": not known
	refused      bool   // the endpoint does not accept the request
	failed       upstream.Failures
}

type callState int

const (
	open callState = iota // not sent, or in flight
	replied
	missing
)

// An Upstream names the server behind a router, as a reply says it; "" if it does not.
type Upstream func(*verbatim.Reply) string

// newCall returns what a record says.
func newCall(rec *verbatim.Record, who Upstream) call {
	if rec.Reply == nil || !rec.Outcome.Answered() {
		return call{state: missing, refused: rec.Failure != nil && rec.Failure.Class == verbatim.BadAsk, failed: upstream.FailedOf(rec)}
	}
	r := rec.Reply
	c := call{state: replied, answer: strings.TrimSpace(r.Text), gap: -1, promptTokens: r.Usage.Prompt, served: strings.TrimSpace(r.ServedModel + " " + r.Fingerprint), failed: upstream.FailedOf(rec)}
	if len(r.Tokens) > 0 && len(r.Tokens[0].Top) > 1 {
		top := r.Tokens[0].Top
		c.gap, c.list = top[0].Logprob-top[1].Logprob, change.LogProbs{}
		for _, t := range top {
			c.list[t.Text] = t.Logprob
		}
	}
	if who != nil {
		c.upstream = who(r)
	}
	return c
}

// nearest returns the list with the smallest sum of distances to all others (the medoid), and the
// largest of these distances, at least leastRadius. The medoid is nil if there are no lists.
func nearest(lists []change.LogProbs) (medoid change.LogProbs, radius float64) {
	best := -1.0
	for _, l := range lists {
		sum, far := 0.0, 0.0
		for _, other := range lists {
			d, err := change.Distance(l, other)
			if err != nil {
				continue
			}
			sum, far = sum+d, max(far, d)
		}
		if best < 0 || sum < best {
			best, medoid, radius = sum, l, far
		}
	}
	return medoid, max(radius, leastRadius)
}

// leastRadius, in nats, is the smallest radius, even of an endpoint that repeats itself to the last
// digit. A restart can change the order of its sums, and that is no change of the endpoint.
const leastRadius = 0.2

// withName returns a list of names with another one, unless that is "" or in the list.
func withName(list []string, name string) []string {
	if name == "" || slices.Contains(list, name) {
		return list
	}
	return append(list, name)
}
