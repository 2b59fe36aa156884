package cli

import (
	"regexp"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/obedient"

	"verbatim/internal/sim"
)

// A List has the models that can be named. Its JSON form is what 'verbatim models --json' prints.
type modelList struct {
	Config    string     `json:"config,omitempty"` // the file with Own
	Found     []server   `json:"found"`
	Own       []own      `json:"own"`
	Providers []supplier `json:"providers"`
	Models    []tariff   `json:"models"` // of Matching only: there are hundreds
	BuiltIn   []builtIn  `json:"built_in"`
	Simulated []string   `json:"simulated"`

	all    []tariff
	prices model.PriceTable
}

// A server is one on this machine.
type server struct {
	Title   string   `json:"server,omitempty"`
	Wire    string   `json:"wire"`
	BaseURL string   `json:"base_url"`
	Models  []string `json:"models"`
	Model   string   `json:"model,omitempty"` // the one that run takes; absent: it must be named
	name    func(model string) string
}

// An own is a model of the user's file.
type own struct {
	Name     string          `json:"name"`
	Provider string          `json:"provider,omitempty"`
	Wire     string          `json:"wire"`
	BaseURL  string          `json:"base_url,omitempty"`
	Model    string          `json:"model,omitempty"`
	KeyEnv   []string        `json:"key_env"`
	KeySet   bool            `json:"key_set"`
	Price    *verbatim.Price `json:"price,omitempty"`
	Context  *int64          `json:"context,omitempty"`
	Warnings []string        `json:"warnings,omitempty"`
	set      string          // the variable that has the key
	priced   string          // its provider in tables of prices
}

// A supplier is a provider.
type supplier struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Wire     string   `json:"wire"`
	BaseURL  string   `json:"base_url,omitempty"`
	KeyEnv   []string `json:"key_env"`
	KeySet   bool     `json:"key_set"`
	Local    bool     `json:"local"`
	Quirks   []string `json:"quirks"`
	Verified string   `json:"verified"`
	set      string   // the variable that has the key
	priced   string   // its name in tables of prices
}

// A tariff is a model with its price.
type tariff struct {
	Name     string          `json:"name"`
	Also     []string        `json:"also,omitempty"`
	From     string          `json:"from,omitempty"`
	Price    *verbatim.Price `json:"price,omitempty"`
	Varies   string          `json:"varies,omitempty"`
	UpTo     *int64          `json:"up_to,omitempty"`
	Context  *int64          `json:"context,omitempty"`
	provider string
}

// A builtIn is the model inside the program.
type builtIn struct {
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Context int64  `json:"context"`
}

// newModelList lists all models that can be named with these options. Found are the servers on this machine.
func newModelList(o model.Options, found []model.Server) *modelList {
	c := &modelList{Config: o.Config.Path, Found: []server{}, Own: []own{}, Models: []tariff{},
		BuiltIn: []builtIn{{model.NanoName, model.NanoDoc, model.NanoContext}}, prices: o.Prices.Before(model.KnownPrices())}
	for _, f := range found {
		c.Found = append(c.Found, server{f.Title, f.Wire, f.BaseURL, f.Models, f.Model, f.Name})
	}
	for _, m := range o.Config.Models() {
		set := ""
		if i := slices.IndexFunc(m.KeyEnv, func(name string) bool { return strings.TrimSpace(o.Getenv(name)) != "" }); i >= 0 {
			set = m.KeyEnv[i]
		}
		c.Own = append(c.Own, own{m.Name, m.Provider, m.Wire, m.Address, m.Model, notNil(m.KeyEnv), set != "", m.Price, m.Context, m.Warnings, set, m.Priced})
	}
	for _, p := range model.Providers() {
		set := p.KeySet(o.Getenv)
		c.Providers = append(c.Providers, supplier{p.Name, p.Title, p.Wire, p.BaseURL, notNil(p.KeyEnv), set != "", p.Local, notNil(p.Quirks()), p.Verified, set, p.Priced()})
	}
	for _, k := range kinds() {
		c.Simulated = append(c.Simulated, "sim:"+k.Name)
	}
	seen := map[string]bool{}
	for _, t := range c.prices.All() {
		name := t.Provider + ":" + t.Model
		if strings.Contains(t.Provider, "://") {
			name = t.Provider + "#" + t.Model
		}
		if key := name + " " + t.From; !seen[key] { // the first table counts
			seen[key] = true
			c.all = append(c.all, tariff{name, t.Also, t.From, t.Price, t.Varies, t.UpTo, t.Context, t.Provider})
		}
	}
	return c
}

// kinds lists the simulated models.
func kinds() []sim.Kind {
	return append(sim.Kinds(), sim.Kind{Name: obedient.Name, Doc: obedient.Doc})
}

// notNil returns the list; an empty one for nil, which JSON shows as [].
func notNil(list []string) []string { return append([]string{}, list...) }

// Matching returns the entries that a pattern names. The whole name of a provider, or "sim", names
// it with all its models. Any other pattern names every entry whose name has it.
func (c *modelList) matching(pattern string) *modelList {
	none := func(string) bool { return false }
	name := strings.ToLower(strings.TrimSuffix(pattern, ":"))
	if name == "sim" {
		out := c.filtered(none)
		out.Simulated = c.Simulated
		return out
	}
	if i := slices.IndexFunc(c.Providers, func(p supplier) bool { return p.Name == name }); i >= 0 {
		p, out := c.Providers[i], c.filtered(none)
		out.Providers = []supplier{p}
		out.Found = filter(c.Found, func(f server) bool { return f.BaseURL == p.BaseURL })
		out.Models = filter(c.all, func(t tariff) bool { return t.provider == p.priced })
		return out
	}
	return c.filtered(matcher(pattern))
}

// filtered returns the entries with a name that matches.
func (c *modelList) filtered(match func(string) bool) *modelList {
	return &modelList{Config: c.Config, prices: c.prices,
		Found:     filter(c.Found, func(f server) bool { return match(f.BaseURL) || slices.ContainsFunc(f.Models, match) }),
		Own:       filter(c.Own, func(m own) bool { return match(m.Name) || match(m.Model) }),
		Providers: filter(c.Providers, func(p supplier) bool { return match(p.Name) || match(p.Title) }),
		Models: filter(c.all, func(t tariff) bool {
			return match(t.Name) || slices.ContainsFunc(t.Also, func(name string) bool { return match(t.provider + ":" + name) })
		}),
		BuiltIn:   filter(c.BuiltIn, func(b builtIn) bool { return match(b.Name) }),
		Simulated: filter(c.Simulated, match),
	}
}

// Empty reports whether the list has no entries.
func (c *modelList) Empty() bool {
	return len(c.Own)+len(c.Found)+len(c.Providers)+len(c.Models)+len(c.Simulated)+len(c.BuiltIn) == 0
}

// filter returns the values for which want is true.
func filter[T any](all []T, want func(T) bool) []T {
	return slices.DeleteFunc(append([]T{}, all...), func(v T) bool { return !want(v) })
}

// matcher returns the function that reports whether a name matches the pattern: it has the pattern
// in it or, if the pattern has a * or a ?, matches it as a whole. The case of letters does not matter.
func matcher(pattern string) func(string) bool {
	if !strings.ContainsAny(pattern, "*?") {
		pattern = strings.ToLower(pattern)
		return func(name string) bool { return strings.Contains(strings.ToLower(name), pattern) }
	}
	expr := strings.NewReplacer(`\*`, ".*", `\?`, ".").Replace(regexp.QuoteMeta(pattern))
	return regexp.MustCompile("(?i)^(.*:)?" + expr + "$").MatchString
}
