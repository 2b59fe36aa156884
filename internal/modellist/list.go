package modellist

import (
	"regexp"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/config"
	"verbatim/internal/model"
	"verbatim/internal/obedient"
	"verbatim/internal/price"
	"verbatim/internal/provider"
	"verbatim/internal/sim"
)

// A List has the models that can be named.
type List struct {
	getenv    func(string) string
	file      string // the file with own
	own       []config.Model
	found     []model.Server
	providers []provider.Provider
	tariffs   []price.Tariff // of Matching only: there are hundreds
	kinds     []sim.Kind
	nano      bool
	prices    price.Table
	all       []price.Tariff // of prices
}

// New lists all models that can be named with these options. Found are the servers on this machine.
func New(o model.Options, found []model.Server) *List {
	c := &List{getenv: o.Getenv, file: o.Config.Path, own: o.Config.Models(), found: found, providers: provider.All(), nano: true,
		kinds:  append(sim.Kinds(), sim.Kind{Name: obedient.Name, Doc: obedient.Doc}),
		prices: o.Prices.Before(price.Known())}
	seen := map[string]bool{}
	for _, t := range c.prices.All() {
		key := t.Provider + ":" + t.Model + " " + t.From
		if !seen[key] { // the first table counts
			seen[key] = true
			c.all = append(c.all, t)
		}
	}
	return c
}

// Matching returns the entries that a pattern names. The whole name of a provider, or "sim", names
// it with all its models. Any other pattern names every entry whose name has it.
func (c *List) Matching(pattern string) *List {
	out := &List{getenv: c.getenv, file: c.file, prices: c.prices}
	name := strings.ToLower(strings.TrimSuffix(pattern, ":"))
	if name == "sim" {
		out.kinds = c.kinds
		return out
	}
	if i := slices.IndexFunc(c.providers, func(p provider.Provider) bool { return p.Name == name }); i >= 0 {
		p := c.providers[i]
		out.providers = []provider.Provider{p}
		out.found = filter(c.found, func(f model.Server) bool { return f.BaseURL == p.BaseURL })
		out.tariffs = filter(c.all, func(t price.Tariff) bool { return t.Provider == p.Priced() })
		return out
	}
	match := matcher(pattern)
	out.own = filter(c.own, func(m config.Model) bool { return match(m.Name) || match(m.Model) })
	out.found = filter(c.found, func(f model.Server) bool { return match(f.BaseURL) || slices.ContainsFunc(f.Models, match) })
	out.providers = filter(c.providers, func(p provider.Provider) bool { return match(p.Name) || match(p.Title) })
	out.tariffs = filter(c.all, func(t price.Tariff) bool {
		return match(t.Provider+":"+t.Model) || slices.ContainsFunc(t.Also, func(name string) bool { return match(t.Provider + ":" + name) })
	})
	out.kinds = filter(c.kinds, func(k sim.Kind) bool { return match("sim:" + k.Name) })
	out.nano = match(model.NanoName)
	return out
}

// Empty reports whether the list has no entries.
func (c *List) Empty() bool {
	return len(c.own)+len(c.found)+len(c.providers)+len(c.tariffs)+len(c.kinds) == 0 && !c.nano
}

// filter returns the values for which want is true.
func filter[T any](all []T, want func(T) bool) (found []T) {
	for _, v := range all {
		if want(v) {
			found = append(found, v)
		}
	}
	return found
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

type foundJSON struct {
	Server  string   `json:"server,omitempty"`
	Wire    string   `json:"wire"`
	BaseURL string   `json:"base_url"`
	Models  []string `json:"models"`
	Model   string   `json:"model,omitempty"` // the one that run takes; absent: it must be named
}

type ownJSON struct {
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
}

type providerJSON struct {
	Name     string   `json:"name"`
	Title    string   `json:"title"`
	Wire     string   `json:"wire"`
	BaseURL  string   `json:"base_url,omitempty"`
	KeyEnv   []string `json:"key_env"`
	KeySet   bool     `json:"key_set"`
	Local    bool     `json:"local"`
	Quirks   []string `json:"quirks"`
	Verified string   `json:"verified"`
}

type tariffJSON struct {
	Name    string          `json:"name"`
	Also    []string        `json:"also,omitempty"`
	From    string          `json:"from,omitempty"`
	Price   *verbatim.Price `json:"price,omitempty"`
	Varies  string          `json:"varies,omitempty"`
	UpTo    *int64          `json:"up_to,omitempty"`
	Context *int64          `json:"context,omitempty"`
}

type builtInJSON struct {
	Name    string `json:"name"`
	Doc     string `json:"doc"`
	Context int64  `json:"context"`
}

// A Document is the JSON form of a List.
type Document struct {
	Config    string         `json:"config,omitempty"`
	Found     []foundJSON    `json:"found"`
	Own       []ownJSON      `json:"own"`
	Providers []providerJSON `json:"providers"`
	Models    []tariffJSON   `json:"models"`
	BuiltIn   []builtInJSON  `json:"built_in"`
	Simulated []string       `json:"simulated"`
}

// Document returns the JSON form of the list.
func (c *List) Document() Document {
	doc := Document{Config: c.file, Found: []foundJSON{}, Own: []ownJSON{}, Providers: []providerJSON{}, Models: []tariffJSON{}, BuiltIn: []builtInJSON{}, Simulated: []string{}}
	for _, f := range c.found {
		doc.Found = append(doc.Found, foundJSON{f.Title, f.Wire, f.BaseURL, f.Models, f.Model})
	}
	for _, m := range c.own {
		doc.Own = append(doc.Own, ownJSON{m.Name, m.Provider, m.Wire, m.Address, m.Model, notNil(m.KeyEnv), c.set(m.KeyEnv) != "", m.Price, m.Context, m.Warnings})
	}
	for _, p := range c.providers {
		doc.Providers = append(doc.Providers, providerJSON{p.Name, p.Title, p.Wire, p.BaseURL, notNil(p.KeyEnv), p.KeySet(c.getenv) != "", p.Local, notNil(p.Quirks()), p.Verified})
	}
	for _, t := range c.tariffs {
		doc.Models = append(doc.Models, tariffJSON{nameOf(t), t.Also, t.From, t.Price, t.Varies, t.UpTo, t.Context})
	}
	if c.nano {
		doc.BuiltIn = append(doc.BuiltIn, builtInJSON{model.NanoName, model.NanoDoc, model.NanoContext})
	}
	for _, k := range c.kinds {
		doc.Simulated = append(doc.Simulated, "sim:"+k.Name)
	}
	return doc
}

// nameOf returns the name that --model takes for a tariff.
func nameOf(t price.Tariff) string {
	if strings.Contains(t.Provider, "://") {
		return t.Provider + "#" + t.Model
	}
	return t.Provider + ":" + t.Model
}

// notNil returns the list; an empty one for nil, which JSON shows as [].
func notNil(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// set returns the name of the first variable that is set; "" if all are unset.
func (c *List) set(names []string) string {
	for _, name := range names {
		if strings.TrimSpace(c.getenv(name)) != "" {
			return name
		}
	}
	return ""
}
