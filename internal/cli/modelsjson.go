package cli

import (
	"strings"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/price"
)

type foundJSON struct {
	Server  string   `json:"server,omitempty"`
	Wire    string   `json:"wire"`
	BaseURL string   `json:"base_url"`
	Models  []string `json:"models"`
	Model   string   `json:"model,omitempty"` // the one that is taken; absent where it has to be named
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

type modelsDocument struct {
	Config    string         `json:"config,omitempty"`
	Found     []foundJSON    `json:"found"`
	Own       []ownJSON      `json:"own"`
	Providers []providerJSON `json:"providers"`
	Models    []tariffJSON   `json:"models"`
	BuiltIn   []builtInJSON  `json:"built_in"`
	Simulated []string       `json:"simulated"`
}

// document returns what the catalogue holds as a document.
func (c *catalogue) document(env *Env) modelsDocument {
	doc := modelsDocument{Config: c.file, Found: []foundJSON{}, Own: []ownJSON{}, Providers: []providerJSON{}, Models: []tariffJSON{}, BuiltIn: []builtInJSON{}, Simulated: []string{}}
	for _, f := range c.found {
		doc.Found = append(doc.Found, foundJSON{f.Title, f.Wire, f.BaseURL, f.Models, f.Model})
	}
	for _, m := range c.own {
		doc.Own = append(doc.Own, ownJSON{m.Name, m.Provider, m.Wire, m.Address, m.Model, some(m.KeyEnv), env.set(m.KeyEnv) != "", m.Price, m.Context, m.Warnings})
	}
	for _, p := range c.providers {
		doc.Providers = append(doc.Providers, providerJSON{p.Name, p.Title, p.Wire, p.BaseURL, some(p.KeyEnv), p.KeySet(env.Getenv) != "", p.Local, some(p.Quirks()), p.Verified})
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

// nameOf returns the name by which the model of a tariff is asked.
func nameOf(t price.Tariff) string {
	if strings.Contains(t.Provider, "://") {
		return t.Provider + "#" + t.Model
	}
	return t.Provider + ":" + t.Model
}

// some returns a list that is not nil, so that it shows as an empty one.
func some(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}

// set returns the first of the variables that is set, "" where none is.
func (env *Env) set(names []string) string {
	for _, name := range names {
		if strings.TrimSpace(env.Getenv(name)) != "" {
			return name
		}
	}
	return ""
}
