package price

import (
	_ "embed"
	"fmt"
	"slices"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/lazyregexp"
)

// Table is a table of what models cost and how much they take in. The zero
// value knows nothing. Prices change and tables err: every price says who gave
// it and when, and a run keeps the price that it was started at.
type Table struct {
	tables [][]Tariff // the first that lists a model has the say
}

// A Tariff is what a table says of one model.
type Tariff struct {
	// Provider is the name of a provider or the base URL of an endpoint, and Model
	// the name of the model there.
	Provider, Model string
	Also            []string // other names of the same model there
	// From is the first day on which it holds, such as "2027-01-01"; "" has no
	// beginning. Of several the latest that has begun is taken.
	From string
	// Price is nil where no single price holds; Varies then says how it varies.
	Price  *verbatim.Price
	Varies string
	// UpTo is the longest prompt, in tokens, that Price holds for; nil is any.
	UpTo    *int64
	Context *int64 // tokens that the model takes in; nil: not known
	// MaxOutput is the largest number of output tokens, reasoning included, and Reasons says
	// whether the model reasons without being asked to. Nil: not known.
	MaxOutput *int64
	Reasons   *bool
}

//go:embed prices.json
var builtIn []byte

// Known returns the table that is part of the program; scripts/prices
// writes it.
func Known() Table {
	p, err := Read("prices.json", builtIn)
	if err != nil {
		panic("the table of prices that is part of the program is broken: " + err.Error())
	}
	return p
}

// Before returns a table that looks into p first, and into rest for what p does
// not list.
func (p Table) Before(rest Table) Table {
	return Table{slices.Concat(p.tables, rest.tables)}
}

// All returns the tariffs in the order in which they are looked at.
func (p Table) All() []Tariff { return slices.Concat(p.tables...) }

// datedName matches a name that ends in a day, as releases of a model do:
// "gpt-5-2025-08-07", "claude-sonnet-4-5-20250929". Four digits are no day:
// "mistral-large-2411" and "mistral-large-2402" are two models at two prices.
var datedName = lazyregexp.New(`^(.+)-(20\d\d-\d\d-\d\d|20\d{6})$`)

// Find returns the tariff that holds for a model of a provider on the day of at,
// and false where the table does not list it. A model is listed under its own
// name, whatever the case of the letters, or else under that name without the day
// of its release at the end. Nothing else is tried: a wrong price is worse than
// none.
func (p Table) Find(provider, model string, at time.Time) (Tariff, bool) {
	day := at.UTC().Format(time.DateOnly)
	if t, ok := p.find(provider, model, day); ok {
		return t, true
	}
	if m := datedName.FindStringSubmatch(model); m != nil && (IsDay(m[2]) || isCompactDay(m[2])) {
		return p.find(provider, m[1], day)
	}
	return Tariff{}, false
}

func IsDay(s string) bool {
	_, err := time.Parse(time.DateOnly, s)
	return err == nil
}

func isCompactDay(s string) bool {
	_, err := time.Parse("20060102", s)
	return err == nil
}

func (p Table) find(provider, model, day string) (Tariff, bool) {
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

// matches reports whether the tariff is that of the model.
func (t Tariff) matches(model string) bool {
	return strings.EqualFold(t.Model, model) ||
		slices.ContainsFunc(t.Also, func(name string) bool { return strings.EqualFold(name, model) })
}

// Shown returns the price, whose source says up to which prompt it holds.
func (t Tariff) Shown() *verbatim.Price {
	if t.Price == nil || t.UpTo == nil {
		return t.Price
	}
	p := *t.Price
	p.UpTo = t.UpTo
	p.Source += fmt.Sprintf("; for prompts up to %d tokens", *t.UpTo)
	return &p
}

// Free is the price of a model that costs nothing.
func Free() *verbatim.Price { return &verbatim.Price{Source: "no provider is paid"} }
