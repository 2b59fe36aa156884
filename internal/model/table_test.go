package model

import (
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"
	"verbatim/internal/input"

	"pgregory.net/rapid"

	"verbatim"
)

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t.Add(13 * time.Hour)
}

func TestFindPrice(t *testing.T) {
	known := knownOnce
	for _, c := range []struct{ provider, model, day, want string }{
		{"openai", "gpt-4o-mini", "2026-11-21", "gpt-4o-mini 0.15 0.6"},
		{"openai", "GPT-4o-mini", "2026-11-21", "gpt-4o-mini 0.15 0.6"},
		{"openai", "gpt-4o-mini-2024-07-18", "2026-11-21", "gpt-4o-mini 0.15 0.6"},
		{"openai", "gpt-4o", "2026-11-21", "gpt-4o 2.5 10"},
		{"openai", "gpt-4o-2024-05-13", "2026-11-21", "gpt-4o-2024-05-13 5 15"}, // a release with a price of its own
		{"openai", "gpt-4o-2024-11-20", "2026-11-21", "gpt-4o 2.5 10"},
		{"openai", "gpt-4o-2024-13-20", "2026-11-21", ""}, // no day
		{"openai", "gpt-4o-20241120", "2026-11-21", "gpt-4o 2.5 10"},
		{"openai", "gpt-4o-2024", "2026-11-21", ""},
		{"openai", "gpt-4o-mini-high", "2026-11-21", ""},
		{"openai", "gpt-4o-mini-2024-07-18-2024-07-18", "2026-11-21", ""},
		{"openai", "ft:gpt-4o-mini:us::1", "2026-11-21", ""},
		{"openai", "openai/gpt-4o-mini", "2026-11-21", ""},
		{"openai", "gpt", "2026-11-21", ""},
		{"openai", "", "2026-11-21", ""},
		{"openrouter", "openai/gpt-4o-mini", "2026-11-21", "openai/gpt-4o-mini 0.15 0.6"},
		{"openrouter", "openai/gpt-4o-mini:nitro", "2026-11-21", ""},
		{"anthropic", "claude-haiku-4-5-20251001", "2026-11-21", "claude-haiku-4-5 1 5"},
		{"anthropic", "gpt-4o-mini", "2026-11-21", ""},
		{"mistral", "mistral-large-2402", "2026-11-21", ""},
		{"deepseek", "deepseek-chat", "2026-11-21", "deepseek-chat with the time of day"},
		{"gemini", "gemini-3.6-flash", "2026-12-31", "gemini-3.6-flash"},
		{"gemini", "gemini-3.6-flash", "2027-01-01", "gemini-3.6-flash 1.5 7.5"},
		{"gemini", "gemini-3.6-flash", "2031-01-01", "gemini-3.6-flash 1.5 7.5"},
	} {
		got := ""
		if found, ok := known.Find(c.provider, c.model, day(c.day)); ok {
			got = found.Model
			if found.Price != nil && !(c.want == "gemini-3.6-flash" && found.From == "") {
				got += " " + found.Price.Input.Decimal() + " " + found.Price.Output.Decimal()
			}
			if found.Varies != "" {
				got += " " + found.Varies
			}
		}
		if got != c.want {
			t.Errorf("%s:%s on %s: %q, want %q", c.provider, c.model, c.day, got, c.want)
		}
	}
}

// The built-in table holds what the program says of it.
func TestKnownPrices(t *testing.T) {
	batches := map[string]int{}
	for _, tariff := range knownOnce.All() {
		if tariff.Price == nil && tariff.Varies == "" {
			t.Errorf("%s:%s has no price and does not say why", tariff.Provider, tariff.Model)
		}
		if p := tariff.Price; p != nil {
			if p.Source == "" || !isDay(p.AsOf) || p.Input > 1000*verbatim.Dollar || p.Output > 1000*verbatim.Dollar || p.Cached != nil && *p.Cached > p.Input {
				t.Errorf("%s:%s: %+v", tariff.Provider, tariff.Model, *p)
			}
			if p.Batch != nil {
				batches[tariff.Provider]++
			}
		}
		for _, name := range append([]string{tariff.Model}, tariff.Also...) {
			at := day("2026-11-21")
			if tariff.From != "" {
				at = day(tariff.From)
			}
			if found, ok := knownOnce.Find(tariff.Provider, name, at); !ok || found.Model != tariff.Model {
				t.Errorf("%s:%s leads to %q", tariff.Provider, name, found.Model)
			}
		}
	}
	for _, name := range []string{"openai", "anthropic", "gemini"} {
		if batches[name] < 5 {
			t.Errorf("%s: %d models with a price in batches", name, batches[name])
		}
	}
}

// knownOnce saves reading the table again for every name of it.
var knownOnce = KnownPrices()

func TestReadPrices(t *testing.T) {
	const head = `{"format":"verbatim/prices/1","source":"us","as_of":"2026-01-02",` + "\n"
	good := head + `"models":[
  {"provider":"openai","model":"a","also":["b"],"input":1,"cached":0.5,"output":2.25,"request":0.001,"batch":0.5,"up_to":1000,"context":2000},
  {"provider":"openai","model":"a","from":"2027-01-01","input":2,"output":3},
  {"provider":"https://h/v1","model":"c","context":4096,"varies":"by the hour"}
]}`
	p, err := ReadPrices("p.json", []byte(good))
	if err != nil {
		t.Fatal(err)
	}
	a, ok := p.Find("openai", "b", day("2026-05-05"))
	if !ok || a.Price.Input != verbatim.Dollar || *a.Price.Cached != verbatim.Dollar/2 || a.Price.Output != 9*verbatim.Dollar/4 || a.Price.Request != verbatim.Dollar/1000 ||
		*a.Price.Batch != 0.5 || a.Price.Source != "us" || a.Price.AsOf != "2026-01-02" || *a.UpTo != 1000 || *a.Context != 2000 {
		t.Errorf("%+v", a)
	}
	if c, ok := p.Find("https://h/v1", "c", day("2026-05-05")); !ok || c.Price != nil || c.Varies != "by the hour" || *c.Context != 4096 {
		t.Errorf("%+v", c)
	}
	for _, c := range []struct{ text, want string }{
		{"", "p.json:1: the file ends in the middle"},
		{"[]", "p.json:1: this is not a table"},
		{"{", "p.json:1: the file ends in the middle"},
		{head + `"models":[` + "\n{}]}", "p.json:3: a model needs its provider"},
		{head + `"models":[{"provider":"x","model":"y","input":1,"output":2}],` + "\n\n" + `"extra":1}`, `p.json:4: there is no field "extra"`},
		{head + `"models":[]}`, "lists no models"},
		{head + `"models":{}}`, "p.json:2: models cannot be of the type object"},
		{`{"format":"verbatim/prices/2"}`, "not \"verbatim/prices/1\""},
		{`{"models":[]}`, `the format is ""`},
		{`{"format":"verbatim/prices/1","as_of":"2026-01-02"}`, "source is missing"},
		{`{"format":"verbatim/prices/1","source":"us","as_of":"soon","models":[1]}`, "as_of is not a day"},
		{`{"format":1}`, "p.json:1: "},
		{good + "x", "there is text after the end"},
		{strings.Replace(good, `"input":2`, `"input":-2`, 1), "p.json:4: "},
		{strings.Replace(good, `"input":2`, `"input":"2"`, 1), "p.json:4: "},
		{strings.Replace(good, `"input":2,`, ``, 1), "p.json:4: a price needs both"},
		{strings.Replace(good, `"input":2,"output":3`, `"cached":1`, 1), "p.json:4: there is no price"},
		{strings.Replace(good, `"input":2,"output":3`, `"input":2,"output":3,"varies":"x"`, 1), "p.json:4: a model has either a price or varies"},
		{strings.Replace(good, `2027-01-01`, `2027-1-1`, 1), "p.json:4: from is not a day"},
		{strings.Replace(good, `"from":"2027-01-01",`, ``, 1), "p.json:4: a of openai is listed twice"},
		{strings.Replace(good, `"batch":0.5`, `"batch":50`, 1), "p.json:3: batch is"},
		{strings.Replace(good, `"context":4096`, `"context":0`, 1), "p.json:5: context"},
		{strings.Replace(good, `"context":4096`, `"contxt":4096`, 1), `p.json:5: there is no field "contxt"`},
		{strings.Replace(good, `"context":4096`, `"context":4096 4`, 1), "p.json:5: this is not JSON"},
	} {
		_, err := ReadPrices("p.json", []byte(c.text))
		var f *input.FileError
		if !errors.As(err, &f) || !strings.Contains(err.Error(), c.want) || f.Hint() == "" || !f.Misuse() {
			t.Errorf("%.80q: %v, want %q", c.text, err, c.want)
		}
	}
}

// The first table decides, whatever the second says of other days.
func TestPricesBefore(t *testing.T) {
	read := func(source, from string) PriceTable {
		p, err := ReadPrices("p", []byte(`{"format":"verbatim/prices/1","source":"`+source+`","as_of":"2026-01-02","models":[{"provider":"x","model":"m","from":"`+from+`","input":1,"output":1}]}`))
		if err != nil {
			t.Fatal(err)
		}
		return p
	}
	both := read("ours", "2026-01-01").Before(read("theirs", ""))
	for at, want := range map[string]string{"2025-12-31": "theirs", "2026-01-01": "ours", "2030-01-01": "ours"} {
		if got, ok := both.Find("x", "m", day(at)); !ok || got.Price.Source != want {
			t.Errorf("%s: %+v", at, got)
		}
	}
	if n := len(both.All()); n != 2 {
		t.Errorf("%d tariffs", n)
	}
	if _, ok := (PriceTable{}).Find("x", "m", day("2026-01-01")); ok {
		t.Error("an empty table knows a price")
	}
}

// No name that a table does not list, but for a day at its end, finds a price.
func TestFindPriceIsNoGuess(t *testing.T) {
	listed := map[string]bool{}
	var names []string
	for _, tariff := range knownOnce.All() {
		for _, name := range append([]string{tariff.Model}, tariff.Also...) {
			listed[tariff.Provider+":"+strings.ToLower(name)] = true
			names = append(names, tariff.Provider+":"+name)
		}
	}
	slices.Sort(names)
	rapid.Check(t, func(t *rapid.T) {
		provider, name, _ := strings.Cut(rapid.SampledFrom(names).Draw(t, "name"), ":")
		name += rapid.StringMatching(`[-a-z0-9:./]{1,12}`).Draw(t, "more")
		_, ok := knownOnce.Find(provider, name, day("2026-11-21"))
		base := name
		if m := datedName.FindStringSubmatch(name); m != nil && (isDay(m[2]) || isCompactDay(m[2])) {
			base = m[1]
		}
		if want := listed[provider+":"+strings.ToLower(name)] || listed[provider+":"+strings.ToLower(base)]; ok != want {
			t.Fatalf("%s:%s: found %v, want %v", provider, name, ok, want)
		}
	})
}

func FuzzReadPrices(f *testing.F) {
	f.Add([]byte(`{"format":"verbatim/prices/1","source":"us","as_of":"2026-01-02","models":[{"provider":"x","model":"m","input":1,"output":1}]}`))
	f.Add([]byte(`{"format":"verbatim/prices/1","source":"us","as_of":"2026-01-02","models":[{"provider":"x","model":"m"},`))
	f.Add([]byte(`{"models":null}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		p, err := ReadPrices("p.json", data)
		var e *input.FileError
		switch {
		case err != nil && (!errors.As(err, &e) || e.Line < 1):
			t.Errorf("%v", err)
		case err == nil && !json.Valid(data):
			t.Error("what is no JSON was read")
		case err == nil && len(p.All()) == 0:
			t.Error("a table without models was read")
		}
	})
}

// TestLimits: the table says how many tokens a model writes, and whether it reasons; what it
// does not say is unknown.
func TestLimits(t *testing.T) {
	say := func(tariff Tariff, ok bool) string {
		text, err := json.Marshal([]any{ok, tariff.MaxOutput, tariff.Reasons})
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	for model, want := range map[string]string{"openai:o3": `[true,100000,true]`, "openai:gpt-4o-mini": `[true,16384,false]`, "openai:gpt-5": `[true,null,true]`, "mistral:mistral-large-2411": `[true,null,null]`} {
		provider, name, _ := strings.Cut(model, ":")
		if got := say(knownOnce.Find(provider, name, day("2026-11-21"))); got != want {
			t.Errorf("%s: %s, want %s", model, got, want)
		}
	}
	head := `{"format": "verbatim/prices/1", "source": "s", "limits_source": "l", "as_of": "2026-11-21", "models": [{"provider": "p", "model": "m", "input": 1, "output": 2, `
	own, err := ReadPrices("own.json", []byte(head+`"max_output": 4096, "reasoning": false}]}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := say(own.Find("p", "m", day("2026-11-21"))); got != `[true,4096,false]` {
		t.Errorf("the user's table says %s", got)
	}
	if _, err := ReadPrices("own.json", []byte(head+`"max_output": 0}]}`)); err == nil || !strings.Contains(err.Error(), "max_output") {
		t.Errorf("0 tokens: %v", err)
	}
}

// TestPriceServed: a server names the model that answered in its own way. Another model has its own price,
// and without one the cost is unknown; a price of the user's own holds for unlisted names.
func TestPriceServed(t *testing.T) {
	prices, err := ReadPrices("p.json", []byte(`{"format":"verbatim/prices/1","source":"s","as_of":"2026-01-01","models":[
		{"provider":"openai","model":"small","also":["small-0125"],"input":1,"output":2},{"provider":"openai","model":"large","input":5,"output":25},
		{"provider":"openai","model":"old-4","input":9,"output":9}]}`))
	if err != nil {
		t.Fatal(err)
	}
	o := Options{Prices: prices, Getenv: func(string) string { return "sk-0123456789-key" }, Config: trustedFile(t, "[models.mine]\nprovider = \"openai\"\nmodel = \"mine-1\"\nprice = { input = 3, output = 3 }\n")}
	for name, served := range map[string]map[string]string{
		"openai:small": {"small": "1", "SMALL": "1", "small-2026-01-01": "1", "small-0125": "1", "small-001": "1", "openai/small": "1", "small:latest": "1",
			"large": "5", "large-20260101": "5", "openai/large": "", "small-2": "", "smaller": "", "small-preview": "", "x": ""},
		"openai:old-4":               {"old-4-1": "", "old-4-1106": "9"},
		"mine":                       {"mine-1": "3", "anything": "3", "large": "5"},
		"http://127.0.0.1:8080/v1#m": {"m": "0", "/models/x.gguf": "0"},
	} {
		h, err := Open(t.Context(), name, o)
		if err != nil {
			t.Fatal(err)
		}
		for model, want := range served {
			got := ""
			if p := h.PriceOf(model); p != nil {
				got = p.Input.Decimal()
				if (p == h.Price) != (p.Input == h.Price.Input) {
					t.Errorf("%s served as %s: another price is taken for its own", name, model)
				}
			}
			if got != want {
				t.Errorf("%s served as %s costs %q, want %q", name, model, got, want)
			}
		}
	}
}
