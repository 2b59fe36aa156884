package model

import (
	_ "embed"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"time"

	"verbatim"
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
