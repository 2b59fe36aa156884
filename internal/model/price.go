package model

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"path"
	"regexp"
	"slices"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/input"
)

// A Table is a table of the prices and limits of models. The zero value lists no model. Prices
// change, and tables may be wrong: every price has its source and date, and a run saves the price
// with which it was started.
type PriceTable struct {
	tables [][]Tariff // the first one that lists a model holds
}

// A Tariff is the entry of a table for one model.
type Tariff struct {
	// provider is the name of a provider or the base URL of an endpoint. Model is the name of
	// the model there.
	Provider, Model string
	Also            []string // other names of the same model there
	// From is the first day on which the tariff holds, such as "2027-01-01"; "" is any day. Of
	// several tariffs, the one that began last holds.
	From string
	// Price is nil if there is no single price; Varies then says how it varies.
	Price  *verbatim.Price
	Varies string
	// UpTo is the longest prompt, in tokens, for which Price holds; nil: any.
	UpTo    *int64
	Context *int64 // tokens of the context; nil: unknown
	// MaxOutput is the largest number of output tokens, reasoning included. Reasons says whether
	// the model reasons by default. Nil: unknown.
	MaxOutput *int64
	Reasons   *bool
}

//go:embed prices.json
var builtIn []byte

// KnownPrices returns the table that is part of the program; scripts/prices
// writes it.
func KnownPrices() PriceTable {
	p, err := ReadPrices("prices.json", builtIn)
	if err != nil {
		panic("the table of prices that is part of the program is broken: " + err.Error())
	}
	return p
}

// Before returns a table with the models of p, and those of rest that p does not list.
func (p PriceTable) Before(rest PriceTable) PriceTable {
	return PriceTable{slices.Concat(p.tables, rest.tables)}
}

// All returns the tariffs in the order in which Find searches them.
func (p PriceTable) All() []Tariff { return slices.Concat(p.tables...) }

// datedName matches a name that ends with a day, as that of a release of a model:
// "gpt-5-2025-08-07", "claude-sonnet-4-5-20250929". Four digits are no day: "mistral-large-2411"
// and "mistral-large-2402" are two models with two prices.
var datedName = regexp.MustCompile(`^(.+)-(20\d\d-\d\d-\d\d|20\d{6})$`)

// Find returns the tariff that holds for a model of a provider on the UTC day of at; ok is false if
// the table does not list the model. It searches for the name of the model, then for the name
// without the day of a release at its end. It ignores the case of letters. There are no other
// rules: a wrong price is worse than none.
func (p PriceTable) Find(provider, model string, at time.Time) (t Tariff, ok bool) {
	day := at.UTC().Format(time.DateOnly)
	if t, ok := p.find(provider, model, day); ok {
		return t, true
	}
	if m := datedName.FindStringSubmatch(model); m != nil && (isDay(m[2]) || isCompactDay(m[2])) {
		return p.find(provider, m[1], day)
	}
	return Tariff{}, false
}

// isDay reports whether s is a day, such as 2026-11-21.
func isDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isCompactDay(s string) bool {
	_, err := time.Parse("20060102", s)
	return err == nil
}

func (p PriceTable) find(provider, model, day string) (Tariff, bool) {
	for _, table := range p.tables {
		var found *Tariff
		for i, t := range table {
			if t.Provider == provider && t.From <= day && t.matches(model) && (found == nil || found.From < t.From) {
				found = &table[i]
			}
		}
		if found != nil {
			return *found, true
		}
	}
	return Tariff{}, false
}

// matches reports whether the tariff is for the model.
func (t Tariff) matches(model string) bool {
	return strings.EqualFold(t.Model, model) ||
		slices.ContainsFunc(t.Also, func(name string) bool { return strings.EqualFold(name, model) })
}

// releaseSuffix matches what a server adds to the name of a model for one release of it: "-001",
// "@20250929". One or two digits are another model: "claude-opus-4" and "claude-opus-4-1".
var releaseSuffix = regexp.MustCompile(`^[-@:](\d{3,}[\d.-]*|latest)$`)

// sameModel reports whether a server names the model that was asked by served: it may leave the name of
// the vendor or of a folder out, and add a release.
func sameModel(asked, served string) bool {
	asked, served = path.Base(strings.ToLower(asked)), path.Base(strings.ToLower(served))
	asked = strings.TrimSuffix(strings.TrimSuffix(asked, "-latest"), ":latest")
	rest, ok := strings.CutPrefix(served, asked)
	return ok && (rest == "" || releaseSuffix.MatchString(rest))
}

// priceServed returns the function Handle.PriceOf for the model asked, whose tariff is t if the table lists
// it.
func (g *target) priceServed(price *verbatim.Price, t Tariff, asked string, find func(string) (Tariff, bool)) func(string) *verbatim.Price {
	listed := t.Price != nil && g.settings.price == nil
	return func(served string) *verbatim.Price {
		other, ok := find(served)
		switch {
		case ok && (other.Provider != t.Provider || other.Model != t.Model || other.From != t.From):
			return other.Shown()
		case ok || sameModel(asked, served) || !listed: // a price of the user's own holds for names that no table lists
			return price
		}
		return nil
	}
}

// Shown returns the price. If it holds up to a length of prompts only, its source says so.
func (t Tariff) Shown() *verbatim.Price {
	if t.Price == nil || t.UpTo == nil {
		return t.Price
	}
	p := *t.Price
	p.UpTo = t.UpTo
	p.Source += fmt.Sprintf("; for prompts up to %d tokens", *t.UpTo)
	return &p
}

// freePrice returns the price of a model that costs nothing.
func freePrice() *verbatim.Price { return &verbatim.Price{Source: "no provider is paid"} }

// formatName is the format of a table of prices.
const formatName = "verbatim/prices/1"

// A tariffJSON is a tariff in a table of prices, in dollars for a million tokens.
type tariffJSON struct {
	Provider string          `json:"provider"`
	Model    string          `json:"model"`
	Also     []string        `json:"also"`
	From     string          `json:"from"`
	Context  *int64          `json:"context"`
	Input    *verbatim.Money `json:"input"`
	Cached   *verbatim.Money `json:"cached"`
	Output   *verbatim.Money `json:"output"`
	Request  verbatim.Money  `json:"request"`
	Batch    *float64        `json:"batch"`
	UpTo     *int64          `json:"up_to"`
	Varies   string          `json:"varies"`

	MaxOutput *int64 `json:"max_output"`
	Reasons   *bool  `json:"reasoning"`
}

// advice is the hint of every error in a table of prices.
const advice = `docs/models.md describes tables of prices; a line is {"provider": "openai", "model": "gpt-5", "input": 1.25, "output": 10}`

// ReadPrices reads a table of prices: a JSON object with "format" ("verbatim/prices/1"), "source", "as_of"
// and "models", a list of objects; docs/models.md describes it. An unknown field, a price without input or
// output, and a model that is listed twice give an *input.FileError with the line. file is the name of the
// file in errors.
func ReadPrices(file string, data []byte) (PriceTable, error) {
	fault := func(offset int, format string, args ...any) (PriceTable, error) {
		before := data[:min(offset, len(data))]
		return PriceTable{}, &input.FileError{File: file, Line: 1 + bytes.Count(before, []byte("\n")), Reason: fmt.Sprintf(format, args...), Advice: advice}
	}
	var doc struct {
		Format       string            `json:"format"`
		Source       string            `json:"source"`
		LimitsSource string            `json:"limits_source"`
		AsOf         string            `json:"as_of"`
		Models       []json.RawMessage `json:"models"`
	}
	rest, err := decode(data, &doc)
	if err != nil {
		at, why := explain(data, err)
		return fault(at, "%s", why)
	}
	switch {
	case doc.Format != formatName:
		return fault(0, "the format is %q, not %q", doc.Format, formatName)
	case doc.Source == "":
		return fault(0, "source is missing: where the prices are from")
	case !isDay(doc.AsOf):
		return fault(0, "as_of is not a day, such as 2026-11-21")
	case len(doc.Models) == 0:
		return fault(0, "the table lists no models")
	case len(bytes.TrimSpace(rest)) > 0:
		return fault(len(data)-len(rest), "there is text after the end of the table")
	}
	var tariffs []Tariff
	seen := map[string]bool{}
	at := max(0, bytes.Index(data, []byte(`"models"`)))
	for _, raw := range doc.Models {
		at += max(0, bytes.Index(data[at:], raw))
		var line tariffJSON
		if _, err := decode(raw, &line); err != nil {
			_, why := explain(raw, err)
			return fault(at, "%s", why)
		}
		t, err := line.tariff(doc.Source, doc.AsOf)
		if err != nil {
			return fault(at, "%v", err)
		}
		for _, name := range append([]string{t.Model}, t.Also...) {
			key := t.Provider + "\n" + strings.ToLower(name) + "\n" + t.From
			if seen[key] {
				return fault(at, "%s of %s is listed twice", name, t.Provider)
			}
			seen[key] = true
		}
		tariffs = append(tariffs, t)
	}
	return PriceTable{[][]Tariff{tariffs}}, nil
}

// decode reads one JSON value without unknown fields, and returns what comes after it.
func decode(data []byte, v any) (rest []byte, err error) {
	in := json.NewDecoder(bytes.NewReader(data))
	in.DisallowUnknownFields()
	if err = in.Decode(v); err == nil {
		rest = data[in.InputOffset():]
	}
	return rest, err
}

// explain returns the place of an error of package json, and its words.
func explain(data []byte, err error) (offset int, why string) {
	var syntax *json.SyntaxError
	var mistyped *json.UnmarshalTypeError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return len(data), "the file ends in the middle"
	case errors.As(err, &syntax):
		return int(syntax.Offset), fmt.Sprintf("this is not JSON: %v", err)
	case errors.As(err, &mistyped) && mistyped.Field == "":
		return 0, "this is not a table of prices: it must begin with {"
	case errors.As(err, &mistyped):
		return int(mistyped.Offset), fmt.Sprintf("%s cannot be of the type %s", mistyped.Field, mistyped.Value)
	}
	why = strings.TrimPrefix(err.Error(), "json: ")
	if name, found := strings.CutPrefix(why, "unknown field "); found {
		return max(0, bytes.Index(data, []byte(name))), "there is no field " + name
	}
	return 0, why
}

// tariff returns the tariff of a line of a table, or says what is wrong with the line.
func (l tariffJSON) tariff(source, asOf string) (Tariff, error) {
	t := Tariff{Provider: l.Provider, Model: l.Model, Also: l.Also, From: l.From, UpTo: l.UpTo, Context: l.Context, MaxOutput: l.MaxOutput, Reasons: l.Reasons, Varies: l.Varies}
	switch {
	case l.Provider == "" || l.Model == "" || slices.Contains(l.Also, ""):
		return t, errors.New("a model needs its provider and its name")
	case l.From != "" && !isDay(l.From):
		return t, errors.New("from is not a day, such as 2027-01-01")
	case l.Context != nil && *l.Context < 1, l.UpTo != nil && *l.UpTo < 1, l.MaxOutput != nil && *l.MaxOutput < 1:
		return t, errors.New("context, max_output and up_to are numbers of tokens, 1 or more")
	case l.Batch != nil && (*l.Batch < 0 || *l.Batch > 1):
		return t, errors.New("batch is the factor of the price in a batch: it must be from 0 to 1")
	case (l.Input == nil) != (l.Output == nil):
		return t, errors.New("a price needs both input and output")
	case l.Input != nil && l.Varies != "":
		return t, errors.New("a model has either a price or varies: leave out input and output, or leave out varies")
	case l.Input == nil && (l.Cached != nil || l.Request != 0 || l.Batch != nil || l.UpTo != nil):
		return t, errors.New("there is no price: input and output are missing")
	case l.Input != nil:
		t.Price = &verbatim.Price{Input: *l.Input, Cached: l.Cached, Output: *l.Output, Request: l.Request, Batch: l.Batch, Source: source, AsOf: asOf}
	}
	return t, nil
}
