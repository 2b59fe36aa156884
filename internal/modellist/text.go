package modellist

import (
	"cmp"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/number"
	"verbatim/internal/provider"
	"verbatim/internal/sim"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/wire"
)

// WriteOverview prints the ways to name a model, a line each.
func (c *List) WriteOverview(w io.Writer, s terminal.Style) error {
	c.writeFound(w, s)
	if len(c.own) > 0 {
		fmt.Fprintf(w, "\nYours, from %s:\n", terminal.Visible(c.file))
		if err := c.writeOwn(w, s); err != nil {
			return err
		}
	}
	fmt.Fprint(w, "\nServers on this machine at their usual ports:\n")
	local, paid := table.ListOf("  name", "what it names"), table.ListOf("  name", "what it names", "key")
	for _, p := range c.providers {
		if p.Local {
			local.Add("  "+formOf(p), p.Title+" at "+strings.TrimPrefix(p.BaseURL, "http://"))
		} else {
			paid.Add("  "+strings.Replace(formOf(p), "DEPLOYMENT", "NAME", 1), p.Title, c.keyOf(p))
		}
	}
	if err := local.Print(w, s); err != nil {
		return err
	}
	fmt.Fprint(w, "\nProviders:\n")
	if err := paid.Print(w, s); err != nil {
		return err
	}
	fmt.Fprint(w, "\nAnything else:\n")
	other := table.ListOf("  name", "what it names")
	other.Add("  http://host:port/v1#MODEL", "OpenAI-compatible servers (VERBATIM_API_KEY)")
	for _, w := range wire.Protocols() {
		if w.Name != "chat" {
			other.Add("  "+w.Name+"+https://host…#MODEL", "servers of "+w.Title)
		}
	}
	other.Add("  exec:COMMAND", "a program: JSON lines in and out")
	other.Add("  "+model.NanoName, model.NanoDoc)
	other.Add("  sim:KIND", "no model: simulated answers, such as sim:sloppy")
	if err := other.Print(w, s); err != nil {
		return err
	}
	const more = "'verbatim models openai' shows a provider and its prices, 'verbatim models gpt-5' models of that name, 'verbatim models sim' simulated kinds and knobs."
	_, err := fmt.Fprint(w, "\n"+terminal.WrapLines(more, s.Columns())+"\n")
	return err
}

// WriteDetails prints all that is known of the entries that a pattern matched.
func (c *List) WriteDetails(w io.Writer, s terminal.Style) error {
	var parts []func() error
	if len(c.found) > 0 {
		parts = append(parts, func() error { c.writeFound(w, s); return nil })
	}
	if len(c.own) > 0 {
		parts = append(parts, func() error {
			fmt.Fprintf(w, "Yours, from %s:\n", terminal.Visible(c.file))
			return c.writeOwn(w, s)
		})
	}
	for _, p := range c.providers {
		parts = append(parts, func() error { c.writeProvider(w, p); return nil })
	}
	if c.nano {
		parts = append(parts, func() error { writeNano(w, s); return nil })
	}
	if len(c.tariffs) > 0 {
		parts = append(parts, func() error { return c.writePrices(w, s) })
	}
	if len(c.kinds) > 0 {
		parts = append(parts, func() error { return c.writeKinds(w, s) })
	}
	for i, write := range parts {
		if i > 0 {
			fmt.Fprintln(w)
		}
		if err := write(); err != nil {
			return err
		}
	}
	return nil
}

// writeFound prints the servers that were found on this machine.
func (c *List) writeFound(w io.Writer, s terminal.Style) {
	fmt.Fprintln(w, "Servers that answer on this machine:")
	if len(c.found) == 0 {
		fmt.Fprintln(w, terminal.WrapLines("  none: llama.cpp, vLLM, SGLang, LM Studio and Ollama were looked for at their usual ports; VERBATIM_DISCOVER=host:port looks elsewhere", s.Columns()))
	}
	for i, f := range c.found {
		server := ""
		if f.Title != "" {
			server = "   " + terminal.SafeLine(f.Title)
		}
		for _, m := range f.Models {
			note := server
			if i == 0 && f.Model == m {
				note += ", what 'verbatim run' uses"
			}
			fmt.Fprintf(w, "  %s%s\n", terminal.Visible(f.Name(m)), note)
		}
	}
}

// writeOwn prints the models of the user's file.
func (c *List) writeOwn(w io.Writer, s terminal.Style) error {
	t := &table.Table{Columns: []table.Column{{Head: "  name"}, {Head: "what it names", Wrap: true, Min: 16}, {Head: "key"}, {Head: "in/out"}, {Head: "context"}}}
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
		if set := c.set(m.KeyEnv); set != "" {
			key = set + " is set"
		} else if len(m.KeyEnv) > 0 {
			key = m.KeyEnv[0] + " is not set"
		}
		known, context := m.Price, m.Context
		if t, ok := c.prices.Find(m.Priced, m.Model, time.Now()); ok {
			known, context = cmp.Or(known, t.Price), cmp.Or(context, t.Context)
		}
		price := "?"
		if known != nil {
			price = dollars(known.Input) + " / " + dollars(known.Output)
		}
		t.Add("  "+m.Name, terminal.Visible(what), key, price, tokens(context))
		warnings = append(warnings, m.Warnings...)
	}
	if err := t.Print(w, s); err != nil {
		return err
	}
	for _, warning := range warnings {
		fmt.Fprintln(w, "  warning: "+terminal.SafeLine(warning))
	}
	return nil
}

// formOf returns the form of the names of a provider's models.
func formOf(p provider.Provider) string {
	if p.Name == "azure" {
		return "azure:RESOURCE/DEPLOYMENT"
	}
	return p.Name + ":MODEL"
}

// keyOf says whether the key of a provider is set.
func (c *List) keyOf(p provider.Provider) string {
	set := p.KeySet(c.getenv)
	switch {
	case set != "":
		return set + " is set"
	case p.Local:
		return "none needed"
	}
	return p.KeyEnv[0] + " is not set"
}

// writeProvider prints all that is known of a provider.
func (c *List) writeProvider(w io.Writer, p provider.Provider) {
	key := c.keyOf(p)
	if len(p.KeyEnv) > 1 {
		key += " (looked for in " + strings.Join(p.KeyEnv, ", ") + ")"
	}
	fmt.Fprintf(w, "%s: %s\n", formOf(p), p.Title)
	rows := [][2]string{{"wire", p.Wire}, {"address", cmp.Or(p.BaseURL, "part of the name")}, {"key", key}}
	head := "differs"
	for _, q := range p.Quirks() {
		rows = append(rows, [2]string{head, q})
		head = ""
	}
	rows = append(rows, [2]string{"checked", "against " + p.Verified})
	for _, r := range rows {
		fmt.Fprintf(w, "  %-8s  %s\n", r[0], terminal.SafeLine(r[1]))
	}
}

// writePrices prints tariffs in a table, and the other names of a single one.
func (c *List) writePrices(w io.Writer, s terminal.Style) error {
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
	line := func(text string) { fmt.Fprintln(w, terminal.WrapLines(text, s.Width)) }
	head := "Prices in dollars for a million tokens"
	if len(sources) > 0 {
		head += " (" + terminal.Visible(strings.Join(sources, "; ")) + ")"
	}
	line(head + ":")
	if err := list.Print(w, s); err != nil {
		return err
	}
	if limited {
		line("  + longer prompts cost more" + c.limit())
	}
	if varies != "" {
		line("  * varies " + terminal.Visible(varies) + ": no price is assumed")
	}
	if len(c.tariffs) == 1 && len(c.tariffs[0].Also) > 0 {
		line("  also called " + terminal.Visible(strings.Join(c.tariffs[0].Also, ", ")))
	}
	return nil
}

// limit returns the prompt length above which prices are higher, for the end of a sentence; "" if it
// differs between the tariffs.
func (c *List) limit() string {
	var at int64
	for _, t := range c.tariffs {
		if t.UpTo == nil {
			continue
		}
		if at != 0 && at != *t.UpTo {
			return ""
		}
		at = *t.UpTo
	}
	return ": prompts of more than " + number.Short(at) + " tokens"
}

// writeNano describes the model inside the program.
func writeNano(w io.Writer, s terminal.Style) {
	fmt.Fprintf(w, "%s: %s\n", model.NanoName, model.NanoDoc)
	for _, r := range [][2]string{
		{"trained", "on tasks of the kinds that are run here: its scores say nothing about other models"},
		{"context", number.Count(model.NanoContext) + " tokens, of a prompt and its answer together"},
		{"takes", "a temperature (without one it is greedy), a top_p and a seed"},
	} {
		fmt.Fprintln(w, terminal.WrapLines(fmt.Sprintf("  %-8s  %s", r[0], r[1]), s.Columns()))
	}
}

// writeKinds prints the simulated models and their knobs.
func (c *List) writeKinds(w io.Writer, s terminal.Style) error {
	fmt.Fprint(w, "Simulated, made from the right answers (no model is run):\n")
	kinds := table.ListOf("  name", "what it does")
	for _, k := range c.kinds {
		kinds.Add("  sim:"+k.Name, k.Doc)
	}
	if err := kinds.Print(w, s); err != nil {
		return err
	}
	fmt.Fprint(w, "\nKnobs, as in sim:sloppy?half=32&latency=50ms:\n")
	knobs := table.ListOf("  knob", "what it sets")
	for _, k := range sim.Knobs() {
		knobs.Add("  "+k.Name, k.Doc)
	}
	return knobs.Print(w, s)
}

// dollars writes a price with at least two digits after the point.
func dollars(m verbatim.Money) string {
	whole, cents, _ := strings.Cut(m.Decimal(), ".")
	return whole + "." + cents + strings.Repeat("0", max(0, 2-len(cents)))
}

// tokens writes a number of tokens; a dash if it is unknown.
func tokens(n *int64) string {
	if n == nil {
		return "–"
	}
	return number.Short(*n)
}
