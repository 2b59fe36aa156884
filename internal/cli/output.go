package cli

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/model"
	"verbatim/internal/number"
	"verbatim/internal/scratch"
	"verbatim/internal/sim"
	"verbatim/internal/table"
	"verbatim/internal/terminal"
	"verbatim/internal/wire"
)

// Output opens the file of this path for writing; "" and "-" are the standard output.
func (env *Env) Output(path string, what outputContent) (*File, error) {
	return destination{Stdout: env.RawOut, Seal: env.Seal, OnTerminal: env.OutWidth > 0, Unfinished: env.Unfinished}.Open(path, what)
}

// WriteResult writes a result to a file or the standard output, whole or not at all.
func (env *Env) writeResult(path string, what outputContent, write func(*File, terminal.Style) error) error {
	w, err := env.Output(path, what)
	if err != nil {
		return err
	}
	defer w.Discard()
	style := env.Style()
	if w.named() {
		style = terminal.Style{}
	}
	if err := write(w, style); err != nil {
		return fmt.Errorf("write the result: %w", err)
	}
	return w.keep()
}

// Print writes a document to the standard output in a format.
func (env *Env) Print(d *table.Document, format table.Format) error {
	return env.writeResult("", contentOf(format.Name), func(w *File, s terminal.Style) error { return format.Write(w, d, s) })
}

// PrintText writes a document to the standard output in the default format.
func (env *Env) printText(d *table.Document) error { return env.Print(d, table.Formats()[0]) }

// WriteTable prints a table to w, in the width of the standard output.
func (env *Env) writeTable(w io.Writer, t *table.Table) error { return t.Print(w, env.Style()) }

// Input opens the file that the first argument names; none and "-" are the standard input.
func (env *Env) Input(args []string) (io.ReadCloser, error) {
	if len(args) == 0 || args[0] == "-" {
		return io.NopCloser(env.In), nil
	}
	f, err := input.OpenFile(args[0])
	if err != nil {
		return nil, errkind.Runtimef("check the path; - reads the standard input", "%w", err)
	}
	return f, nil
}

// writeDocument writes one JSON object: the member "format", with the command and the version of its
// format, 1, and the members of the object v. Control characters are escaped.
func writeDocument(w io.Writer, command string, v any) error {
	var object bytes.Buffer
	if err := terminal.WriteJSON(&object, v); err != nil {
		return err
	}
	members := bytes.TrimPrefix(bytes.TrimSpace(object.Bytes()), []byte("{")) // with the closing brace
	separator := ","
	if string(members) == "}" {
		separator = "\n"
	}
	_, err := fmt.Fprintf(w, "{\n  \"format\": \"verbatim/%s/1\"%s%s\n", command, separator, members)
	return err
}

// A printer prints the parts of a list, each after an empty line, up to the first error.
type printer struct {
	*modelList
	w     io.Writer
	s     terminal.Style
	parts int
	err   error
}

// part prints an empty line, unless it is the first part, and a heading.
func (p *printer) part(heading string) {
	if p.parts++; p.parts > 1 {
		p.line("")
	}
	p.line(heading)
}

func (p *printer) line(text string) {
	if p.err == nil {
		_, p.err = fmt.Fprintln(p.w, text)
	}
}

func (p *printer) table(t *table.Table) {
	if p.err == nil {
		p.err = t.Print(p.w, p.s)
	}
}

// WriteOverview prints the ways to name a model, a line each.
func (c *modelList) writeOverview(w io.Writer, s terminal.Style) error {
	p := &printer{modelList: c, w: w, s: s}
	p.found()
	p.own()
	local, paid, other := table.ListOf("  name", "what it names"), table.ListOf("  name", "what it names", "key"), table.ListOf("  name", "what it names")
	for _, s := range c.Providers {
		if s.Local {
			local.Add("  "+s.form(), s.Title+" at "+strings.TrimPrefix(s.BaseURL, "http://"))
		} else {
			paid.Add("  "+strings.Replace(s.form(), "DEPLOYMENT", "NAME", 1), s.Title, s.key())
		}
	}
	other.Add("  http://host:port/v1#MODEL", "OpenAI-compatible servers (VERBATIM_API_KEY)")
	for _, w := range wire.Protocols() {
		if w.Name != "chat" {
			other.Add("  "+w.Name+"+https://host…#MODEL", "servers of "+w.Title)
		}
	}
	other.Add("  exec:COMMAND", "a program: JSON lines in and out")
	other.Add("  "+model.NanoName, model.NanoDoc)
	other.Add("  sim:KIND", "no model: simulated answers, such as sim:sloppy")
	p.part("Servers on this machine at their usual ports:")
	p.table(local)
	p.part("Providers:")
	p.table(paid)
	p.part("Anything else:")
	p.table(other)
	const more = "'verbatim models openai' shows a provider and its prices, 'verbatim models gpt-5' models of that name, 'verbatim models sim' simulated kinds and knobs."
	p.part(terminal.WrapLines(more, s.Columns()))
	return p.err
}

// WriteDetails prints all that is known of the entries that a pattern matched.
func (c *modelList) writeDetails(w io.Writer, s terminal.Style) error {
	p := &printer{modelList: c, w: w, s: s}
	if len(c.Found) > 0 {
		p.found()
	}
	p.own()
	for _, s := range c.Providers {
		p.provider(s)
	}
	for _, b := range c.BuiltIn {
		p.part(b.Name + ": " + b.Doc)
		p.facts(s.Columns(), [][2]string{
			{"trained", "on tasks of the kinds that are run here: its scores say nothing about other models"},
			{"context", number.Count(b.Context) + " tokens, of a prompt and its answer together"},
			{"takes", "a temperature (without one it is greedy), a top_p and a seed"},
		})
	}
	if len(c.Models) > 0 {
		p.prices()
	}
	if len(c.Simulated) > 0 {
		p.simulated()
	}
	return p.err
}

// facts prints lines of a name and a text, which are broken at the columns unless they are 0.
func (p *printer) facts(columns int, list [][2]string) {
	for _, f := range list {
		text := fmt.Sprintf("  %-8s  %s", f[0], terminal.SafeLine(f[1]))
		if columns > 0 {
			text = terminal.WrapLines(text, columns)
		}
		p.line(text)
	}
}

// found prints the servers that were found on this machine.
func (p *printer) found() {
	p.part("Servers that answer on this machine:")
	if len(p.Found) == 0 {
		p.line(terminal.WrapLines("  none: llama.cpp, vLLM, SGLang, LM Studio and Ollama were looked for at their usual ports; VERBATIM_DISCOVER=host:port looks elsewhere", p.s.Columns()))
	}
	for i, f := range p.Found {
		server := ""
		if f.Title != "" {
			server = "   " + terminal.SafeLine(f.Title)
		}
		for _, m := range f.Models {
			note := server
			if i == 0 && f.Model == m {
				note += ", what 'verbatim run' uses"
			}
			if day := f.Ends[m]; day != "" {
				note += ", shut down on " + day
			}
			p.line("  " + terminal.Visible(f.name(m)) + note)
		}
	}
}

// own prints the models of the user's file, if there are any.
func (p *printer) own() {
	if len(p.Own) == 0 {
		return
	}
	p.part("Yours, from " + terminal.Visible(p.Config) + ":")
	t := &table.Table{Columns: []table.Column{{Head: "  name"}, {Head: "what it names", Wrap: true, Min: 16}, {Head: "key"}, {Head: "in/out"}, {Head: "context"}}}
	for _, m := range p.Own {
		what := cmp.Or(m.Provider, m.BaseURL)
		if m.Model != "" {
			what += map[bool]string{true: ":", false: "#"}[m.Provider != ""] + m.Model
		}
		known, context := m.Price, m.Context
		if t, ok := p.modelList.prices.Find(m.priced, m.Model, time.Now()); ok {
			known, context = cmp.Or(known, t.Price), cmp.Or(context, t.Context)
		}
		price := "?"
		if known != nil {
			price = dollars(known.Input) + " / " + dollars(known.Output)
		}
		t.Add("  "+m.Name, terminal.Visible(what), keyState(m.set, m.KeyEnv, "none"), price, tokens(context))
	}
	p.table(t)
	for _, m := range p.Own {
		for _, warning := range m.Warnings {
			p.line("  warning: " + terminal.SafeLine(warning))
		}
	}
}

// keyState says whether a key is set; without variables for it, it is the text without.
func keyState(set string, variables []string, without string) string {
	switch {
	case set != "":
		return set + " is set"
	case len(variables) > 0:
		return variables[0] + " is not set"
	}
	return without
}

// form returns the form of the names of a provider's models.
func (s *supplier) form() string {
	if s.Name == "azure" {
		return "azure:RESOURCE/DEPLOYMENT"
	}
	return s.Name + ":MODEL"
}

// key says whether the key of a provider is set.
func (s *supplier) key() string {
	if s.Local {
		return keyState(s.set, nil, "none needed")
	}
	return keyState(s.set, s.KeyEnv, "")
}

// provider prints all that is known of a provider.
func (p *printer) provider(s supplier) {
	key := s.key()
	if len(s.KeyEnv) > 1 {
		key += " (looked for in " + strings.Join(s.KeyEnv, ", ") + ")"
	}
	rows := [][2]string{{"wire", s.Wire}, {"address", cmp.Or(s.BaseURL, "part of the name")}, {"key", key}}
	head := "differs"
	for _, q := range s.Quirks {
		rows = append(rows, [2]string{head, q})
		head = ""
	}
	p.part(s.form() + ": " + s.Title)
	p.facts(0, append(rows, [2]string{"checked", "against " + s.Verified}))
}

// prices prints tariffs in a table, and the other names of a single one.
func (p *printer) prices() {
	var sources []string
	list := &table.Table{Columns: []table.Column{{Head: "  model", Min: 24}, {Head: "input", Right: true}, {Head: "cached", Right: true, Rank: 3},
		{Head: "output", Right: true}, {Head: "batch", Right: true, Rank: 2}, {Head: "context", Rank: 1}}}
	varies := ""
	var limits []int64
	for _, t := range p.Models {
		name := t.Name
		if t.From != "" {
			name += " from " + t.From
		}
		if t.UpTo != nil {
			name, limits = name+" +", append(limits, *t.UpTo)
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
	line := func(text string) { p.line(terminal.WrapLines(text, p.s.Width)) }
	head := "Prices in dollars for a million tokens"
	if len(sources) > 0 {
		head += " (" + terminal.Visible(strings.Join(sources, "; ")) + ")"
	}
	p.part(terminal.WrapLines(head+":", p.s.Width))
	p.table(list)
	if limits = slices.Compact(limits); len(limits) == 1 {
		line("  + longer prompts cost more: prompts of more than " + number.Short(limits[0]) + " tokens")
	} else if len(limits) > 1 {
		line("  + longer prompts cost more")
	}
	if varies != "" {
		line("  * varies " + terminal.Visible(varies) + ": no price is assumed")
	}
	if len(p.Models) == 1 && len(p.Models[0].Also) > 0 {
		line("  also called " + terminal.Visible(strings.Join(p.Models[0].Also, ", ")))
	}
}

// simulated prints the simulated models and their knobs.
func (p *printer) simulated() {
	kindList, knobs := table.ListOf("  name", "what it does"), table.ListOf("  knob", "what it sets")
	for _, k := range kinds() {
		if slices.Contains(p.Simulated, "sim:"+k.Name) {
			kindList.Add("  sim:"+k.Name, k.Doc)
		}
	}
	for _, k := range sim.Knobs() {
		knobs.Add("  "+k.Name, k.Doc)
	}
	p.part("Simulated, made from the right answers (no model is run):")
	p.table(kindList)
	p.part("Knobs, as in sim:sloppy?half=32&latency=50ms:")
	p.table(knobs)
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

// A Content is a kind of output. It decides how the output is made safe for a terminal.
type outputContent int

const (
	textContent outputContent = iota // for people: a filter makes control characters visible, in files too
	JSON                             // unchanged in a file; on a terminal, control characters are escaped
	data                             // unchanged in a file; on a terminal, control characters are made visible
)

// contentOf returns the Content of a --format.
func contentOf(format string) outputContent {
	switch format {
	case "text", "md":
		return textContent
	case "json":
		return JSON
	}
	return data
}

// A File is a file that a command writes, or the standard output. A file gets its name in Keep, so
// that a command that fails leaves none behind.
type File struct {
	*bufio.Writer
	filter *terminal.Filter // of Writer; may be nil
	temp   *scratch.File    // nil for the standard output
	path   string
	forget func() // of Unfinished.Add
}

// A Destination opens the files of a command.
type destination struct {
	Stdout     io.Writer // without a filter
	Seal       terminal.Seal
	OnTerminal bool // Stdout is a terminal
	Unfinished *scratch.Unfinished
}

// Open creates the file at path, or returns the standard output for "-" and "".
func (d destination) Open(path string, what outputContent) (*File, error) {
	o := &File{path: path}
	to, onTerminal := d.Stdout, d.OnTerminal
	if path != "" && path != "-" {
		temp, err := scratch.Create(path)
		if err != nil {
			return nil, errkind.Runtimef("", "cannot write %s: %w", path, err)
		}
		o.temp, o.forget = temp, d.Unfinished.Add(temp.Discard)
		to, onTerminal = temp, false
	}
	switch {
	case what == textContent && o.temp == nil:
		o.filter = terminal.NewFilter(to, d.Seal)
	case what == textContent, what == data && onTerminal:
		o.filter = terminal.NewFilter(to, "")
	case what == JSON && onTerminal:
		o.filter = terminal.NewJSONFilter(to)
	}
	if o.filter != nil {
		to = o.filter
	}
	o.Writer = bufio.NewWriterSize(to, 1<<16)
	return o, nil
}

// Flush writes what is buffered.
func (o *File) Flush() error {
	err := o.Writer.Flush()
	if o.filter != nil {
		err = errors.Join(err, o.filter.Flush())
	}
	return err
}

// Keep writes what is buffered, and gives the file its name. It replaces an earlier file.
func (o *File) keep() error {
	err := o.Flush()
	if o.temp == nil {
		return err
	}
	if err == nil {
		err = o.temp.Commit()
	}
	if err != nil {
		return errkind.Runtimef("", "cannot write %s: %w", o.path, err)
	}
	return nil
}

// Discard removes the file unless it was kept.
func (o *File) Discard() {
	if o.temp != nil {
		o.temp.Discard()
		o.forget()
	}
}

// Named reports whether o is a file and not the standard output.
func (o *File) named() bool { return o.temp != nil }
