package fake_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

func TestParseFaults(t *testing.T) {
	got := faults(t, `429:0.05,after=2 cut:0.01,end=reset # the rest is a comment 500
		stall@4,at=0.5,for=1.5s
		503@2-7:0.5,tries=1,form=date 418 trickle,every=2ms 400,param=seed`)
	want := []fake.Fault{
		{Kind: "429", Share: 0.05, After: 2 * time.Second},
		{Kind: "cut", Share: 0.01, End: "reset"},
		{Kind: "stall", Share: 1, From: 4, To: 4, At: 0.5, For: 1500 * time.Millisecond},
		{Kind: "503", Share: 0.5, From: 2, To: 7, Attempts: 1, Form: "date"},
		{Kind: "418", Share: 1},
		{Kind: "trickle", Share: 1, Every: 2 * time.Millisecond},
		{Kind: "400", Share: 1, Param: "seed"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestParseFaultsRefuses(t *testing.T) {
	for text, part := range map[string]string{
		"fire":                "no fault",
		"399":                 "no fault",
		"600":                 "no fault",
		"429:2":               "between 0 and 1",
		"429:-1":              "between 0 and 1",
		"429:NaN":             "between 0 and 1",
		"429:lots":            "must be a number",
		"429@0":               "place",
		"429@3-2":             "place",
		"429@x":               "place",
		"429,after=soon":      "after",
		"429,after=-1s":       "negative",
		"429,form=telepathic": "form must be one of",
		"finish":              "word=",
		"429,word=x":          "word=",
		"cut,end=slowly":      "one of",
		"cut,at=-1":           "at must be",
		"cut,at=NaN":          "at must be",
		"500,tries=0":         "at least 1",
		"500,often=1":         "no such setting",
		"ok 500,tries=1,":     "no fault",
		"500,":                "no such setting",
	} {
		_, err := fake.ParseFaults(text)
		var f *fake.FaultError
		if !errors.As(err, &f) || !strings.Contains(err.Error(), part) || f.Hint() == "" || !f.Misuse() {
			t.Errorf("%q: %v, want %q", text, err, part)
		}
	}
}

// What String writes is read as the same fault.
func TestFaultRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		kinds := []string{"418"}
		for _, k := range fake.FaultKinds() {
			kinds = append(kinds, k.Name)
		}
		duration := rapid.Custom(func(t *rapid.T) time.Duration { return time.Duration(rapid.Int64Range(0, 1e12).Draw(t, "ns")) })
		f := fake.Fault{
			Kind:     rapid.SampledFrom(kinds).Draw(t, "kind"),
			Share:    rapid.Float64Range(0, 1).Draw(t, "share"),
			Attempts: rapid.IntRange(0, 3).Draw(t, "tries"),
			After:    duration.Draw(t, "after"), Every: duration.Draw(t, "every"), For: duration.Draw(t, "for"),
			Form:  rapid.SampledFrom([]string{"", "seconds", "date", "ms", "none"}).Draw(t, "form"),
			End:   rapid.SampledFrom([]string{"", "clean", "reset", "short"}).Draw(t, "end"),
			Param: rapid.SampledFrom([]string{"", "seed", "max_tokens"}).Draw(t, "param"),
			At:    rapid.Float64Range(0, 1e6).Draw(t, "at"),
		}
		if f.Kind == "finish" {
			f.Word = rapid.SampledFrom([]string{"network_error", "x"}).Draw(t, "word")
		}
		if f.From = rapid.Int64Range(0, 9).Draw(t, "from"); f.From > 0 {
			f.To = f.From + rapid.Int64Range(0, 9).Draw(t, "more")
		}
		got, err := fake.ParseFaults(f.String())
		if err != nil || len(got) != 1 || got[0] != f {
			t.Errorf("%s: %+v, %v, want %+v", f, got, err, f)
		}
	})
}

func FuzzParseFaults(f *testing.F) {
	for _, seed := range []string{"429:0.05,after=2", "cut@3-5,at=0.5", "# x\n500", "500,tries=1,form=date,end=", "quota:1e-3\tstall,for=1h"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := fake.ParseFaults(text)
		if err != nil {
			return
		}
		for _, one := range got {
			again, err := fake.ParseFaults(one.String())
			if err != nil || len(again) != 1 {
				t.Errorf("%q: %q: %v", text, one, err)
			}
		}
	})
}

func TestConfigRefuses(t *testing.T) {
	for part, c := range map[string]fake.Config{
		"share of wrong":               {Wrong: 1.5},
		"share of failed":              {Batch: fake.Batch{Failed: -1}},
		"clock":                        {Pace: fake.Pace{Clock: -1}},
		"latency":                      {Pace: fake.Pace{Latency: -1}},
		"slots":                        {Limits: fake.Limits{Slots: -1}},
		"rate":                         {Limits: fake.Limits{Rate: -1}},
		"needs a length":               {Limits: fake.Limits{Requests: 3}},
		"no fault \"x\"":               {Faults: []fake.Fault{{Kind: "x"}}},
		"more than all requests":       {Faults: faults(t, "500:0.6 429:0.6")},
		"there are no positions from ": {Faults: []fake.Fault{{Kind: "500", From: 3, To: 2}}},
	} {
		if _, err := fake.New(c); err == nil || !strings.Contains(err.Error(), part) {
			t.Errorf("%+v: %v, want %q", c, err, part)
		}
	}
	// Faults that are bound to positions or attempts may add up to more.
	if _, err := fake.New(fake.Config{Faults: faults(t, "500:0.6 429@1 503,tries=1")}); err != nil {
		t.Error(err)
	}
}

// Errors have the shapes of their APIs.
func TestErrorShapes(t *testing.T) {
	base := onLoopback(t, ready(t, fake.Config{Faults: faults(t, "429,after=1.5")}))
	transport := &http.Transport{}
	defer transport.CloseIdleConnections()
	want := map[string]map[string]string{
		"chat":      {"error.type": "requests", "error.code": "rate_limit_exceeded"},
		"responses": {"error.type": "requests", "error.code": "rate_limit_exceeded"},
		"anthropic": {"type": "error", "error.type": "rate_limit_error"},
		"gemini":    {"error.status": "RESOURCE_EXHAUSTED", "error.details.0.retryDelay": "1.5s", "error.details.0.@type": "type.googleapis.com/google.rpc.RetryInfo"},
		"ollama":    {"error": "Rate limit reached for m on requests per min (RPM). Please slow down."},
	}
	for _, c := range clients() {
		for _, stream := range []bool{false, true} {
			res, err := c.send(t, transport, base, "q", stream)
			body := get(t, res, err)
			v := parsed(t, body)
			for path, value := range want[c.name] {
				if got := str(v, keys(path)...); got != value {
					t.Errorf("%s: %s is %q, want %q in %s", c.name, path, got, value, body)
				}
			}
			wait := "2"
			if c.name == "gemini" {
				wait = ""
			}
			if res.StatusCode != 429 || res.Header.Get("Retry-After") != wait {
				t.Errorf("%s: status %d, %v", c.name, res.StatusCode, res.Header)
			}
		}
	}
}

// The headers of each API state the limits and the request's name, also where it is
// refused.
func TestHeaders(t *testing.T) {
	want := map[string]map[string]string{
		"chat":      {"X-Ratelimit-Limit-Requests": "2", "X-Ratelimit-Remaining-Requests": "1", "X-Ratelimit-Reset-Requests": "1m0s"},
		"responses": {"X-Ratelimit-Limit-Requests": "2", "X-Ratelimit-Remaining-Requests": "1", "X-Ratelimit-Reset-Requests": "1m0s"},
		"anthropic": {"Anthropic-Ratelimit-Requests-Limit": "2", "Anthropic-Ratelimit-Requests-Remaining": "1", "Anthropic-Ratelimit-Requests-Reset": "2000-01-01T00:01:00Z"},
		"gemini":    {"X-Ratelimit-Limit-Requests": ""},
		"ollama":    {"X-Ratelimit-Limit-Requests": ""},
	}
	for _, c := range clients() {
		synctest.Test(t, func(t *testing.T) {
			transport, stop := inMemory(ready(t, fake.Config{Echo: true, Limits: fake.Limits{Requests: 2, Window: time.Minute}, Faults: faults(t, "500@2")}))
			defer stop()
			name := "X-Request-Id"
			if c.name == "anthropic" {
				name = "Request-Id"
			}
			for i, status := range []int{200, 500, 429} {
				res, err := c.send(t, transport, "http://fake.test", "q", i%2 == 1)
				get(t, res, err)
				if res.StatusCode != status || res.Header.Get(name) == "" {
					t.Errorf("%s: status %d, want %d; %v", c.name, res.StatusCode, status, res.Header)
				}
				for header, value := range want[c.name] {
					if got := res.Header.Get(header); i == 0 && got != value {
						t.Errorf("%s: %s is %q, want %q", c.name, header, got, value)
					}
				}
			}
		})
	}
}

// Requests that the real APIs refuse are refused.
func TestBadRequests(t *testing.T) {
	base := onLoopback(t, ready(t, fake.Config{Echo: true}))
	for _, c := range []struct {
		method, path, body string
		status             int
		says               string
	}{
		{"POST", "/v1/chat/completions", `{`, 400, "JSON"},
		{"POST", "/v1/chat/completions", `{"messages":[]}`, 400, "messages"},
		{"POST", "/v1/chat/completions", `{"messages":[{"role":"user","content":7}]}`, 400, "messages[0].content"},
		{"POST", "/v1/responses", `{"model":"m"}`, 400, "input"},
		{"POST", "/v1/responses", `{"input":"q","max_output_tokens":15}`, 400, "integer_below_min_value"},
		{"POST", "/v1/messages", `{"messages":[{"role":"user","content":"q"}]}`, 400, "max_tokens"},
		{"POST", "/v1/messages", `{"max_tokens":5}`, 400, "message"},
		{"POST", "/v1beta/models/m:generateContent", `{}`, 400, "contents"},
		{"POST", "/api/chat", `{"messages":[{"role":"user","content":"q"}]}`, 400, "model"},
		{"POST", "/api/chat", `{"model":"m"}`, 400, "messages"},
		{"POST", "/v1/nowhere", `{}`, 404, "/v1/nowhere"},
		{"POST", "/v1beta/models/a/b:generateContent", `{}`, 404, "Invalid URL"},
		{"GET", "/v1/chat/completions", ``, 405, "POST"},
		{"GET", "/v1/batches/none", ``, 404, "none"},
		{"GET", "/v1/batches/", ``, 404, "Invalid URL"},
		{"GET", "/v1/files/none", ``, 404, "none"},
	} {
		r, _ := http.NewRequest(c.method, base+c.path, strings.NewReader(c.body))
		asJSON(r).Header.Set("Anthropic-Version", "2023-06-01")
		res, err := http.DefaultClient.Do(r)
		if body := get(t, res, err); res.StatusCode != c.status || !strings.Contains(body, c.says) {
			t.Errorf("%s %s %s: %d %s", c.method, c.path, c.body, res.StatusCode, body)
		}
	}
	res, err := http.Post(base+"/v1/messages", "application/json", strings.NewReader(`{}`))
	if body := get(t, res, err); !strings.Contains(body, "anthropic-version") {
		t.Error(body)
	}
}

// outcomes sends prompts in an order and returns the outcome of each: the answer, or
// the class of its failure.
func outcomes(t *testing.T, c fake.Config, order []int) map[int]string {
	t.Helper()
	s := ready(t, c)
	transport, stop := inMemory(s)
	defer stop()
	out := map[int]string{}
	for _, i := range order {
		reply, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, "http://fake.test", i%2 == 0), says(fmt.Sprint("prompt ", i)), 0, verbatim.Params{})
		out[i] += reply.Text
		var f *verbatim.Failure
		if errors.As(err, &f) {
			out[i] += fmt.Sprint(f.Class, f.Status, f.Attempts[0].Bytes)
		}
	}
	return out
}

// What happens depends on the seed, the prompt and how often it was sent, and on
// nothing else.
func TestOrderDoesNotMatter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var items []verbatim.Item
		var order []int
		for i := range 60 {
			items = append(items, copied(fmt.Sprint("prompt ", i)))
			order = append(order, i, i)
		}
		c := fake.Config{Item: fake.NewIndex(items...).Item, Wrong: 0.5, Faults: faults(t, "429:0.1 cut:0.2 500:0.1")}
		first := outcomes(t, c, order)
		shuffled := slices.Clone(order)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		second := outcomes(t, c, shuffled)
		c.Seed = 2
		third := outcomes(t, c, order)
		differ := 0
		for i := range 60 {
			if first[i] != second[i] {
				t.Errorf("prompt %d: %q, in another order %q", i, first[i], second[i])
			}
			if first[i] != third[i] {
				differ++
			}
		}
		if differ < 30 {
			t.Errorf("another seed changes %d of 60 prompts", differ)
		}
	})
}

// The second request for a prompt draws its own fault, and prompts with other roles are
// other prompts.
func TestEveryTryIsDrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ready(t, fake.Config{Echo: true, Faults: faults(t, "500:0.5")})
		transport, stop := inMemory(s)
		defer stop()
		differ := 0
		for i := range 60 {
			first, _, _ := try(t.Context(), transport, fmt.Sprint(i))
			if second, _, _ := try(t.Context(), transport, fmt.Sprint(i)); first != second {
				differ++
			}
		}
		if differ < 15 || differ > 45 {
			t.Errorf("%d of 60 prompts met something else the second time", differ)
		}
		other := says("0")
		other[0].Role = "assistant"
		if asked, _ := s.Asked(other); asked != 0 {
			t.Error("prompts of different roles are one")
		}
	})
}

// Faults have the shares that are configured, within five standard deviations.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 3000
		items := make([]verbatim.Item, n)
		for i := range items {
			items[i] = copied(fmt.Sprint("prompt number ", i, " with letters"))
		}
		s := ready(t, fake.Config{Item: fake.NewIndex(items...).Item, Wrong: 0.1, Faults: faults(t, "429:0.05 500:0.3,tries=1 refusal:0.02")})
		transport, stop := inMemory(s)
		defer stop()
		wrong := 0
		for i := range items {
			reply, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, "http://fake.test", false), items[i].Prompt, 0, verbatim.Params{})
			if err == nil && reply.Finish == verbatim.FinishStop && reply.Text != items[i].Want.Text {
				wrong++
			}
		}
		c := s.Counts()
		near := func(what string, got int64, share float64) {
			t.Helper()
			if d := math.Abs(float64(got) - n*share); d > 5*math.Sqrt(n*share*(1-share)) {
				t.Errorf("%s: %d of %d, want a share of %v", what, got, n, share)
			}
		}
		near("429", c.Faults["429"], 0.05)
		near("500", c.Faults["500"], 0.3)
		near("refusal", c.Faults["refusal"], 0.02)
		near("wrong", int64(wrong), 0.1*0.63)
		if c.Prompts != n || c.Requests != n || c.Refused != c.Faults["429"]+c.Faults["500"] || c.Answered != n-c.Refused || c.Twice != 0 {
			t.Errorf("%+v", c)
		}
	})
}

// Positions count requests as they arrive; attempts count the requests for one prompt.
func TestPlacesAndTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ready(t, fake.Config{Echo: true, Faults: faults(t, "401@1 503@3-4 529,tries=1")})
		transport, stop := inMemory(s)
		defer stop()
		var got []int
		for _, text := range []string{"a", "a", "b", "b", "b", "c", "c", "c"} {
			_, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, "http://fake.test", false), says(text), 0, verbatim.Params{})
			var f *verbatim.Failure
			if errors.As(err, &f) {
				got = append(got, f.Status)
			} else {
				got = append(got, 200)
			}
		}
		if want := []int{401, 200, 503, 503, 200, 529, 200, 200}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		c := s.Counts()
		if asked, answered := s.Asked(says("c")); asked != 3 || answered != 2 || c.Twice != 1 || c.Answered != 4 || c.Prompts != 3 {
			t.Errorf("asked %d, answered %d, %+v", asked, answered, c)
		}
		if c.Statuses[503] != 2 || c.Statuses[401] != 1 {
			t.Errorf("%v", c.Statuses)
		}
	})
}

// An answer is as long as its token limit allows, and says when the limit truncated it.
func TestTokenLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const text = "äöüÄÖÜ0123456789"
		s := ready(t, fake.Config{Item: fake.NewIndex(copied(text)).Item})
		transport, stop := inMemory(s)
		defer stop()
		for limit, want := range map[int]string{1: "äö", 2: "äöüÄ", 3: "äöüÄÖÜ", 6: "äöüÄÖÜ0123456789"[:22], 7: text, 8: text} {
			reply, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, "http://fake.test", true), says(text), limit, verbatim.Params{})
			if limit == 6 {
				want = text
			}
			finish := verbatim.FinishLength
			if want == text {
				finish = verbatim.FinishStop
			}
			if err != nil || reply.Text != want || reply.Finish != finish {
				t.Errorf("%d tokens: %q, %s, %v", limit, reply.Text, reply.Finish, err)
			}
		}
		for _, unknown := range []string{"", "what?"} {
			if reply, _ := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, "http://fake.test", true), says(unknown), 0, verbatim.Params{}); reply.Text == "" || reply.Text == unknown {
				t.Errorf("%q to the unknown prompt %q", reply.Text, unknown)
			}
		}
	})
}
