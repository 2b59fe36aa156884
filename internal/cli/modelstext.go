package cli

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/provider"
	"verbatim/internal/sim"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/wire"
)

// writeOverview prints the ways to name a model, a line each.
func (c *catalogue) writeOverview(env *Env) error {
	c.writeFound(env)
	if len(c.own) > 0 {
		fmt.Fprintf(env.Out, "\nYours, from %s:\n", terminal.Visible(c.file))
		if err := c.writeOwn(env); err != nil {
			return err
		}
	}
	fmt.Fprint(env.Out, "\nServers on this machine at their usual ports:\n")
	local, paid := listOf("  name", "what it asks"), listOf("  name", "what it asks", "key")
	for _, p := range c.providers {
		if p.Local {
			local.Add("  "+formOf(p), p.Title+" at "+strings.TrimPrefix(p.BaseURL, "http://"))
		} else {
			paid.Add("  "+strings.Replace(formOf(p), "DEPLOYMENT", "NAME", 1), p.Title, keyOf(env, p))
		}
	}
	if err := env.writeTable(env.Out, local); err != nil {
		return err
	}
	fmt.Fprint(env.Out, "\nProviders:\n")
	if err := env.writeTable(env.Out, paid); err != nil {
		return err
	}
	fmt.Fprint(env.Out, "\nAnything else:\n")
	other := listOf("  name", "what it asks")
	other.Add("  http://host:port/v1#MODEL", "OpenAI-compatible servers (VERBATIM_API_KEY)")
	for _, w := range wire.Protocols() {
		if w.Name != "chat" {
			other.Add("  "+w.Name+"+https://host…#MODEL", "servers of "+w.Title)
		}
	}
	other.Add("  exec:COMMAND", "a program: JSON lines in and out")
	other.Add("  "+model.NanoName, model.NanoDoc)
	other.Add("  sim:KIND", "no model: simulated answers, such as sim:sloppy")
	if err := env.writeTable(env.Out, other); err != nil {
		return err
	}
	_, err := fmt.Fprint(env.Out, `
'verbatim models openai' shows a provider and its prices, 'verbatim models
gpt-5' models of that name, 'verbatim models sim' simulated kinds and knobs.
`)
	return err
}

// writeDetails prints what a pattern matched.
func (c *catalogue) writeDetails(env *Env) error {
	var parts []func(*Env) error
	if len(c.found) > 0 {
		parts = append(parts, func(env *Env) error { c.writeFound(env); return nil })
	}
	if len(c.own) > 0 {
		parts = append(parts, func(env *Env) error {
			fmt.Fprintf(env.Out, "Yours, from %s:\n", terminal.Visible(c.file))
			return c.writeOwn(env)
		})
	}
	for _, p := range c.providers {
		parts = append(parts, func(env *Env) error { return writeProvider(env, p) })
	}
	if c.nano {
		parts = append(parts, c.writeNano)
	}
	if len(c.tariffs) > 0 {
		parts = append(parts, c.writePrices)
	}
	if len(c.kinds) > 0 {
		parts = append(parts, c.writeKinds)
	}
	for i, write := range parts {
		if i > 0 {
			fmt.Fprintln(env.Out)
		}
		if err := write(env); err != nil {
			return err
		}
	}
	return nil
}

func (c *catalogue) writeFound(env *Env) {
	fmt.Fprintln(env.Out, "Servers that answer on this machine:")
	if len(c.found) == 0 {
		fmt.Fprint(env.Out, "  none: llama.cpp, vLLM, SGLang, LM Studio and Ollama were looked for at their\n  usual ports; VERBATIM_DISCOVER=host:port looks elsewhere\n")
	}
	for i, f := range c.found {
		server := ""
		if f.Title != "" {
			server = "   " + terminal.SafeLine(f.Title)
		}
		for _, m := range f.Models {
			note := server
			if i == 0 && f.Model == m {
				note += ", what 'verbatim run' asks"
			}
			fmt.Fprintf(env.Out, "  %s%s\n", terminal.Visible(f.Name(m)), note)
		}
	}
}

// writeOwn prints the models of the user's file.
func (c *catalogue) writeOwn(env *Env) error {
	t := &table.Table{Columns: []table.Column{{Head: "  name"}, {Head: "what it asks", Wrap: true, Min: 16}, {Head: "key"}, {Head: "in/out"}, {Head: "context"}}}
	var warnings []string
	for _, m := range c.own {
		what := m.Address
		if m.Provider != "" {
			what = m.Provider
		}
		if m.Model != "" {
			what += map[bool]string{true: ":", false: "#"}[m.Provider != ""] + m.Model
		}
		key := "none"
		if set := env.set(m.KeyEnv); set != "" {
			key = set + " is set"
		} else if len(m.KeyEnv) > 0 {
			key = m.KeyEnv[0] + " is not set"
		}
		known, context := m.Price, m.Context
		if t, ok := c.prices.Find(m.Priced, m.Model, time.Now()); ok {
			if known == nil {
				known = t.Price
			}
			if context == nil {
				context = t.Context
			}
		}
		price := "?"
		if known != nil {
			price = dollars(known.Input) + " / " + dollars(known.Output)
		}
		t.Add("  "+m.Name, terminal.Visible(what), key, price, tokens(context))
		warnings = append(warnings, m.Warnings...)
	}
	if err := env.writeTable(env.Out, t); err != nil {
		return err
	}
	for _, w := range warnings {
		fmt.Fprintln(env.Out, "  warning: "+terminal.SafeLine(w))
	}
	return nil
}

func formOf(p provider.Provider) string {
	if p.Name == "azure" {
		return "azure:RESOURCE/DEPLOYMENT"
	}
	return p.Name + ":MODEL"
}

// keyOf says whether the key of a provider is set.
func keyOf(env *Env, p provider.Provider) string {
	set := p.KeySet(env.Getenv)
	switch {
	case set != "":
		return set + " is set"
	case p.Local:
		return "none needed"
	}
	return p.KeyEnv[0] + " is not set"
}

func writeProvider(env *Env, p provider.Provider) error {
	address := p.BaseURL
	if address == "" {
		address = "part of the name"
	}
	key := keyOf(env, p)
	if len(p.KeyEnv) > 1 {
		key += " (looked for in " + strings.Join(p.KeyEnv, ", ") + ")"
	}
	fmt.Fprintf(env.Out, "%s: %s\n", formOf(p), p.Title)
	rows := [][2]string{{"wire", p.Wire}, {"address", address}, {"key", key}}
	for i, q := range p.Quirks() {
		rows = append(rows, [2]string{map[bool]string{true: "differs"}[i == 0], q})
	}
	rows = append(rows, [2]string{"checked", "against " + p.Verified})
	for _, r := range rows {
		fmt.Fprintf(env.Out, "  %-8s  %s\n", r[0], terminal.SafeLine(r[1]))
	}
	return nil
}

// writePrices prints tariffs in a table; a single one with all that is known.
func (c *catalogue) writePrices(env *Env) error {
	var sources []string
	list := &table.Table{Columns: []table.Column{{Head: "  model", Min: 24}, {Head: "input", Right: true}, {Head: "cached", Right: true, Rank: 3},
		{Head: "output", Right: true}, {Head: "batch", Right: true, Rank: 2}, {Head: "context", Rank: 1}}}
	varies, limited := "", false
	for _, t := range c.tariffs {
		name := nameOf(t)
		if t.From != "" {
			name += " from " + t.From
		}
		if t.UpTo != nil {
			name, limited = name+" +", true
		}
		if t.Varies != "" {
			name, varies = name+" *", t.Varies
		}
		row := []string{"  " + terminal.Visible(name), "–", "–", "–", "–", tokens(t.Context)}
		if p := t.Price; p != nil {
			row[1], row[3] = dollars(p.Input), dollars(p.Output)
			if p.Cached != nil {
				row[2] = dollars(*p.Cached)
			}
			if p.Batch != nil {
				row[4] = fmt.Sprintf("%.4g", *p.Batch)
			}
			if from := p.Source + ", " + p.AsOf; !slices.Contains(sources, from) {
				sources = append(sources, from)
			}
		}
		list.Add(row...)
	}
	fmt.Fprint(env.Out, "Prices in dollars for a million tokens")
	if len(sources) > 0 {
		fmt.Fprintf(env.Out, " (%s)", terminal.Visible(strings.Join(sources, "; ")))
	}
	fmt.Fprintln(env.Out, ":")
	if err := env.writeTable(env.Out, list); err != nil {
		return err
	}
	if limited {
		fmt.Fprintln(env.Out, "  + longer prompts cost more"+c.limit())
	}
	if varies != "" {
		fmt.Fprintf(env.Out, "  * varies %s: no price is assumed\n", terminal.Visible(varies))
	}
	if len(c.tariffs) == 1 && len(c.tariffs[0].Also) > 0 {
		fmt.Fprintf(env.Out, "  also called %s\n", terminal.Visible(strings.Join(c.tariffs[0].Also, ", ")))
	}
	return nil
}

// limit says from which length on, where all tariffs agree.
func (c *catalogue) limit() string {
	var at int64
	for _, t := range c.tariffs {
		if t.UpTo != nil && at != 0 && at != *t.UpTo {
			return ""
		}
		if t.UpTo != nil {
			at = *t.UpTo
		}
	}
	return ": prompts of more than " + thousands(at) + " tokens"
}

// writeNano prints what there is to know of the model inside the program.
func (c *catalogue) writeNano(env *Env) error {
	fmt.Fprintf(env.Out, "%s: %s\n", model.NanoName, model.NanoDoc)
	for _, r := range [][2]string{
		{"trained", "on tasks of the kinds that are asked here: its scores say nothing about other models"},
		{"context", digits(model.NanoContext) + " tokens, of a prompt and its answer together"},
		{"takes", "a temperature (without one it is greedy), a top_p and a seed"},
	} {
		fmt.Fprintf(env.Out, "  %-8s  %s\n", r[0], r[1])
	}
	return nil
}

func (c *catalogue) writeKinds(env *Env) error {
	fmt.Fprint(env.Out, "Simulated, made from the right answers (no model is asked):\n")
	kinds := listOf("  name", "what it does")
	for _, k := range c.kinds {
		kinds.Add("  sim:"+k.Name, k.Doc)
	}
	if err := env.writeTable(env.Out, kinds); err != nil {
		return err
	}
	fmt.Fprint(env.Out, "\nKnobs, as in sim:sloppy?half=32&latency=50ms:\n")
	knobs := listOf("  knob", "what it sets")
	for _, k := range sim.Knobs() {
		knobs.Add("  "+k.Name, k.Doc)
	}
	return env.writeTable(env.Out, knobs)
}

// dollars writes a price with the cents that people expect.
func dollars(m verbatim.Money) string {
	s := m.Decimal()
	whole, cents, _ := strings.Cut(s, ".")
	return whole + "." + cents + strings.Repeat("0", max(0, 2-len(cents)))
}

// tokens writes a number of tokens, or a dash where it is not known.
func tokens(n *int64) string {
	if n == nil {
		return "–"
	}
	return thousands(*n)
}
