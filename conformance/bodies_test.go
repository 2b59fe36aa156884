package conformance

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"reflect"
	"slices"
	"sort"
	"strings"
	"testing"
)

// A sent is a request as a server sees it.
type sent struct {
	path   string // with the query
	header http.Header
	body   []byte
}

// A recorder records a request and refuses it.
type recorder struct{ sent *sent }

func (r *recorder) RoundTrip(req *http.Request) (*http.Response, error) {
	body, err := io.ReadAll(req.Body)
	if err != nil {
		return nil, err
	}
	r.sent = &sent{path: req.URL.RequestURI(), header: req.Header.Clone(), body: body}
	return &http.Response{
		StatusCode: http.StatusBadRequest, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{"Content-Type": {"application/json"}},
		Body:   io.NopCloser(strings.NewReader(`{"error":{"message":"taken down"}}`)),
	}, nil
}

// oursSends returns what we send, or the error if we refuse to.
func (p pair) oursSends(t *testing.T, q question) (sent, error) {
	t.Helper()
	var to recorder
	r := p.readOurs(t.Context(), "http://model.test", &to, q)
	if to.sent == nil {
		return sent{}, errors.Join(errors.New("refused"), r.err)
	}
	return *to.sent, nil
}

// theirsSends returns what the SDK sends.
func (p pair) theirsSends(t *testing.T, q question) sent {
	t.Helper()
	var to recorder
	r := p.readTheirs(t.Context(), "http://model.test", &to, q)
	if to.sent == nil {
		t.Fatalf("%s sends nothing: %v", p.sdk, r.err)
	}
	return *to.sent
}

// A bodyRule is an intended difference between our bodies and those of an SDK.
type bodyRule struct {
	why string
	// apply changes the SDK's body into ours if the rule applies to it, and reports
	// whether it does.
	apply func(q question, body map[string]any) bool
}

// TestBodies compares what we send with what the SDKs send for the same question.
func TestBodies(t *testing.T) {
	for _, c := range []struct {
		pair  pair
		rules []bodyRule
		// refuses reports whether we refuse to ask, because the protocol has no field
		// for a part of the question.
		refuses func(q question) bool
		more    []question // in addition to those that all protocols are asked
	}{
		{chat(), nil, func(question) bool { return false }, []question{withExtra()}},
		{openAIResponses(), nil, func(q question) bool { return q.params.Seed != nil }, nil},
		{anthropicMessages(), []bodyRule{
			{"a lone text is a string", loneTexts},
		}, func(q question) bool { return q.params.Seed != nil || q.maxTokens == 0 }, []question{withBudget(1024), withBudget(2048)}},
		{gemini(), []bodyRule{
			{"an object without members is left out", withoutEmpty("generationConfig")},
			{"the system's instruction has no role, as in Google's examples", func(_ question, body map[string]any) bool {
				system, there := body["systemInstruction"].(map[string]any)
				delete(system, "role")
				return there
			}},
		}, func(question) bool { return false }, []question{withBudget(0), withBudget(1), withBudget(2048)}},
		{ollama(), []bodyRule{
			{"an object without members is left out", withoutEmpty("options")},
		}, func(q question) bool { return len(q.prompt[len(q.prompt)-1].Content) > 1 }, nil},
	} {
		t.Run(c.pair.name, func(t *testing.T) {
			compared, refused, used := 0, 0, make([]int, len(c.rules))
			for _, q := range append(questions(), c.more...) {
				ours, err := c.pair.oursSends(t, q)
				if (err != nil) != c.refuses(q) {
					t.Fatalf("%+v: %v", q, err)
				}
				if err != nil {
					refused++
					continue
				}
				theirs := c.pair.theirsSends(t, q)
				if ours.path != theirs.path {
					t.Fatalf("we ask %s, %s asks %s", ours.path, c.pair.sdk, theirs.path)
				}
				for _, name := range []string{"Authorization", "X-Api-Key", "X-Goog-Api-Key", "Anthropic-Version", "Content-Type"} {
					if a, b := ours.header.Get(name), theirs.header.Get(name); !strings.EqualFold(a, b) && (name != "Authorization" || !c.pair.noKey) {
						t.Fatalf("header %s: we send %q, %s sends %q", name, a, c.pair.sdk, b)
					}
				}
				want := object(t, theirs.body)
				for i, r := range c.rules {
					if r.apply(q, want) {
						used[i]++
					}
				}
				if diff := differences("", object(t, ours.body), want); len(diff) > 0 {
					t.Fatalf("we differ from %s in\n\t%s\nwe send %s\n%s sends %s", c.pair.sdk, strings.Join(diff, "\n\t"), ours.body, c.pair.sdk, theirs.body)
				}
				compared++
			}
			for i, r := range c.rules {
				if used[i] == 0 {
					t.Errorf("no body shows %q any more: remove it from the list", r.why)
				}
			}
			t.Logf("%d bodies are equal, %d questions are refused", compared, refused)
			if compared < 50 {
				t.Errorf("only %d bodies were compared", compared)
			}
		})
	}
}

// withBudget asks with a number of tokens to think.
func withBudget(n int64) question {
	q := plain(true)
	q.maxTokens, q.params.ReasoningBudget = 4096, &n
	return q
}

// withExtra asks with a parameter that is unknown to all clients.
func withExtra() question {
	q := plain(true)
	q.params.Extra = map[string]json.RawMessage{"chat_template_kwargs": json.RawMessage(`{"enable_thinking":false}`)}
	return q
}

// loneTexts changes contents that consist of one text into a string.
func loneTexts(_ question, body map[string]any) bool {
	did := false
	lone := func(holder map[string]any, name string) {
		parts, _ := holder[name].([]any)
		if len(parts) != 1 {
			return
		}
		if part := parts[0].(map[string]any); part["type"] == "text" && len(part) == 2 {
			holder[name], did = part["text"], true
		}
	}
	lone(body, "system")
	for _, m := range body["messages"].([]any) {
		lone(m.(map[string]any), "content")
	}
	return did
}

// withoutEmpty removes an object that has no members.
func withoutEmpty(name string) func(question, map[string]any) bool {
	return func(_ question, body map[string]any) bool {
		inner, isObject := body[name].(map[string]any)
		if !isObject || len(inner) > 0 {
			return false
		}
		delete(body, name)
		return true
	}
}

// object reads a JSON object; its numbers keep their texts.
func object(t *testing.T, body []byte) map[string]any {
	t.Helper()
	dec := json.NewDecoder(bytes.NewReader(body))
	dec.UseNumber()
	var o map[string]any
	if err := dec.Decode(&o); err != nil {
		t.Fatalf("%v: %q", err, body)
	}
	return o
}

// differences returns the paths at which two JSON values differ.
func differences(place string, ours, theirs any) []string {
	a, aIsObject := ours.(map[string]any)
	b, bIsObject := theirs.(map[string]any)
	if aIsObject && bIsObject {
		names := slices.Collect(func(yield func(string) bool) {
			for n := range a {
				if !yield(n) {
					return
				}
			}
			for n := range b {
				if _, both := a[n]; !both && !yield(n) {
					return
				}
			}
		})
		sort.Strings(names)
		var all []string
		for _, n := range names {
			x, inA := a[n]
			y, inB := b[n]
			switch {
			case !inA:
				all = append(all, fmt.Sprintf("%s.%s: only theirs: %v", place, n, y))
			case !inB:
				all = append(all, fmt.Sprintf("%s.%s: only ours: %v", place, n, x))
			default:
				all = append(all, differences(place+"."+n, x, y)...)
			}
		}
		return all
	}
	x, xIsList := ours.([]any)
	y, yIsList := theirs.([]any)
	if xIsList && yIsList && len(x) == len(y) {
		var all []string
		for i := range x {
			all = append(all, differences(fmt.Sprintf("%s[%d]", place, i), x[i], y[i])...)
		}
		return all
	}
	if !reflect.DeepEqual(ours, theirs) {
		return []string{fmt.Sprintf("%s: ours %v, theirs %v", place, ours, theirs)}
	}
	return nil
}
