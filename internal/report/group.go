package report

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
)

// maxGroups bounds the number of groups: their memory, and the length of the table.
const maxGroups = 2000

// groups gathers the records of a run, or of a part of it, by the values of facts. The groups of
// several runs are merged.
type groups struct {
	by     []groupFact
	hidden []groupFact // the hidden facts of records that by does not name
	found  map[string]*group
	over   bool  // there are more than maxGroups
	own    tally // the facts that items have: of the first item of each group

	run   *verbatim.Run
	fixed []string // the values of the run, in the order of by; "" for a fact of records
	key   []byte   // of the last record, in found
}

// A group is the records with the same values.
type group struct {
	values []string
	cell   cell
	parts  []*groupPart
}

// A groupPart counts the records of a group that are of one run.
type groupPart struct {
	run    *verbatim.Run
	n      int64
	hidden []tally // their values, in the order of groups.hidden
}

func newGroups(by []groupFact, run *verbatim.Run) *groups {
	g := &groups{by: by, found: make(map[string]*group), run: run, fixed: make([]string, len(by))}
	for i, f := range by {
		if f.run != nil {
			g.fixed[i] = f.run(run)
		}
	}
	for _, f := range hiddenFacts(by) {
		if f.record != nil {
			g.hidden = append(g.hidden, f)
		}
	}
	return g
}

// hiddenFacts lists the facts that should not differ unnoticed, without those in by, which the
// table shows.
func hiddenFacts(by []groupFact) []groupFact {
	return slices.DeleteFunc(knownFacts(), func(f groupFact) bool {
		return !f.hidden || slices.ContainsFunc(by, func(o groupFact) bool { return o.name == f.name })
	})
}

// add counts a record in its group; nil groups count nothing.
func (g *groups) add(rec *verbatim.Record, m *entry) {
	if g == nil {
		return
	}
	g.key = g.key[:0]
	for i := range g.by {
		value := g.value(i, rec)
		g.key = binary.AppendUvarint(g.key, uint64(len(value)))
		g.key = append(g.key, value...)
	}
	at := g.found[string(g.key)]
	if at == nil {
		if at = g.newGroup(rec); at == nil {
			return
		}
	}
	at.cell.add(m)
	part := at.parts[0]
	part.n++
	for i := range g.hidden {
		if value := g.hidden[i].record(rec); value != "" {
			part.hidden[i].add(value)
		}
	}
}

// value returns the value of the i-th fact of a record.
func (g *groups) value(i int, rec *verbatim.Record) string {
	if read := g.by[i].record; read != nil {
		return read(rec)
	}
	return g.fixed[i]
}

// newGroup adds the group of a record; it returns nil if there are too many.
func (g *groups) newGroup(rec *verbatim.Record) *group {
	if len(g.found) >= maxGroups {
		g.over = true
		return nil
	}
	at := &group{parts: []*groupPart{{run: g.run, hidden: make([]tally, len(g.hidden))}}}
	for i := range g.by {
		at.values = append(at.values, strings.Clone(g.value(i, rec)))
	}
	g.found[string(g.key)] = at
	for name := range rec.Item.Facts {
		g.own.add(name)
	}
	return at
}

// merge adds the groups of another part of the run, or of another run.
func (g *groups) merge(o *groups) {
	if g == nil {
		return
	}
	g.over = g.over || o.over
	g.own.merge(&o.own)
	for key, from := range o.found {
		at := g.found[key]
		if at == nil {
			if len(g.found) >= maxGroups {
				g.over = true
				continue
			}
			at = &group{values: from.values}
			g.found[key] = at
		}
		at.cell.merge(&from.cell)
		for _, p := range from.parts {
			at.part(p.run, len(g.hidden)).merge(p)
		}
	}
}

// part returns the part of a run, and creates it if it is missing.
func (g *group) part(run *verbatim.Run, hidden int) *groupPart {
	for _, p := range g.parts {
		if p.run == run {
			return p
		}
	}
	p := &groupPart{run: run, hidden: make([]tally, hidden)}
	g.parts = append(g.parts, p)
	return p
}

func (p *groupPart) merge(o *groupPart) {
	p.n += o.n
	for i := range p.hidden {
		p.hidden[i].merge(&o.hidden[i])
	}
}

// A GroupError says that the records cannot be grouped as requested: no item has a fact, or there
// are more groups than a table can show.
type GroupError struct{ text string }

func (e *GroupError) Error() string { return e.text }

// finish lists the groups in the order of their values, the first fact first.
func (g *groups) finish() (*Grouping, error) {
	out := &Grouping{Groups: []Group{}}
	for _, f := range g.by {
		out.By = append(out.By, f.name)
	}
	if g.over {
		return nil, &GroupError{fmt.Sprintf("--group-by %s makes more than %s groups: name fewer facts, or facts with fewer values", terminal.Visible(strings.Join(out.By, ",")), number.Count(maxGroups))}
	}
	if err := g.unknown(); err != nil {
		return nil, err
	}
	for _, at := range g.found {
		out.Groups = append(out.Groups, Group{Key: at.values, Line: at.cell.finish(nil), Mixed: at.mixed(g)})
	}
	knobs := task.AllKnobs()
	slices.SortStableFunc(out.Groups, func(a, b Group) int {
		for i := range g.by {
			c := 0
			if g.by[i].name == knobFact {
				c = cmp.Compare(knobs.Rank(a.Key[i]), knobs.Rank(b.Key[i]))
			}
			if c = cmp.Or(c, compareValues(g.by[i].name, a.Key[i], b.Key[i])); c != 0 {
				return c
			}
		}
		return 0
	})
	out.Warnings = pooledWarnings(g, out)
	return out, nil
}

// unknown returns the error of a fact that no item has.
func (g *groups) unknown() error {
	for i, f := range g.by {
		own, is := strings.CutPrefix(f.name, "fact:")
		if !is || len(g.found) == 0 || g.hasValue(i) {
			continue
		}
		var names []string
		for _, c := range g.own.ranked() {
			names = append(names, c.Name)
		}
		slices.Sort(names)
		return &GroupError{terminal.Visible(fmt.Sprintf("no item names the fact %s: the items' own facts are %s; --group-by also takes %s",
			own, strings.Join(names, ", "), factNames()))}
	}
	return nil
}

// hasValue reports whether a record has a value of the i-th fact.
func (g *groups) hasValue(i int) bool {
	for _, at := range g.found {
		if at.values[i] != "" {
			return true
		}
	}
	return false
}

// compareValues orders values of one fact: numbers by their size, then words; outcomes in the order
// of tables; an unknown value last.
func compareValues(fact, a, b string) int {
	if a == "" || b == "" {
		return cmp.Compare(b, a)
	}
	if fact == "outcome" {
		return cmp.Compare(outcomeIndex(a), outcomeIndex(b))
	}
	x, errX := strconv.ParseFloat(a, 64)
	y, errY := strconv.ParseFloat(b, 64)
	switch {
	case errX == nil && errY == nil:
		return cmp.Or(cmp.Compare(x, y), cmp.Compare(a, b))
	case errX == nil:
		return -1
	case errY == nil:
		return 1
	}
	return cmp.Compare(a, b)
}

func outcomeIndex(name string) int { return slices.Index(verbatim.Outcomes(), verbatim.Outcome(name)) }

// groupedBy reports whether records are grouped by a fact; g may be nil.
func (g *groups) groupedBy(name string) bool {
	return g != nil && slices.ContainsFunc(g.by, func(f groupFact) bool { return f.name == name })
}

// mixed lists the hidden facts that differ within the group.
func (at *group) mixed(g *groups) []Mixed {
	var list []Mixed
	for _, f := range hiddenFacts(g.by) {
		if f.name == "plan" && explainsPlan(list) {
			continue
		}
		scopes := make(map[string]*tally)
		count := func(run *verbatim.Run, value string, n int64) {
			scope := ""
			if f.scope != nil {
				scope = f.scope(run, value)
			}
			if scopes[scope] == nil {
				scopes[scope] = new(tally)
			}
			scopes[scope].addN(value, n)
		}
		for _, p := range at.parts {
			if f.run != nil {
				if value := f.run(p.run); value != "" {
					count(p.run, value, p.n)
				}
				continue
			}
			i := slices.IndexFunc(g.hidden, func(h groupFact) bool { return h.name == f.name })
			for _, c := range p.hidden[i].ranked() {
				count(p.run, c.Name, c.N)
			}
		}
		var all tally
		for _, t := range scopes {
			if len(t.values) > 1 {
				all.merge(t)
			}
		}
		if values := all.ranked(); len(values) > 0 {
			list = append(list, Mixed{f.name, values})
		}
	}
	return list
}

// explainsPlan reports whether one of the facts is a reason for different plans.
func explainsPlan(list []Mixed) bool {
	return slices.ContainsFunc(list, func(m Mixed) bool {
		switch m.Fact {
		case "suite", "edition", "version", "prompt", "seed", "trials":
			return true
		}
		return false
	})
}

// pooledWarnings warns of hidden facts that differ within groups: their values, and the --group-by
// that would separate them.
func pooledWarnings(g *groups, out *Grouping) []Warning {
	var list []Warning
	for _, f := range hiddenFacts(g.by) {
		n := 0
		var values tally
		for i := range out.Groups {
			for _, m := range out.Groups[i].Mixed {
				if m.Fact != f.name {
					continue
				}
				n++
				for _, c := range m.Values {
					values.addN(c.Name, c.N)
				}
			}
		}
		if n > 0 {
			list = append(list, Warning{"pooled", fmt.Sprintf("%s records that differ in %s: %s. --group-by %s tells them apart.",
				poolers(n, len(out.Groups)), f.name, ListSome(values.ranked()), strings.Join(append(slices.Clone(out.By), f.name), ","))})
		}
	}
	return list
}

// poolers is the subject and the verb of a warning that n of so many groups pool records.
func poolers(n, of int) string {
	switch {
	case of == 1:
		return "The one group pools"
	case n == of:
		return fmt.Sprintf("All %d groups pool", of)
	case n == 1:
		return fmt.Sprintf("1 of %d groups pools", of)
	}
	return fmt.Sprintf("%d of %d groups pool", n, of)
}

// A GroupFact is something that --group-by can name.
type GroupFact struct {
	Name string
	Doc  string // what it is, in a few words
}

// GroupFacts lists the facts that --group-by takes. It also takes every fact of items, as NAME, or
// as fact:NAME if the list has another meaning for the word.
func GroupFacts() []GroupFact {
	var list []GroupFact
	for _, f := range knownFacts() {
		list = append(list, GroupFact{f.name, f.doc})
	}
	return list
}

// A groupFact reads a value of a run or of a record; "" is unknown.
type groupFact struct {
	name, doc string
	run       func(*verbatim.Run) string
	record    func(*verbatim.Record) string
	// hidden says that records with different values should not be pooled unnoticed.
	hidden bool
	// scope names what a hidden value is about, such as the grader of a version. Values with
	// different scopes are no difference. Nil: all values have one scope.
	scope func(run *verbatim.Run, value string) string
}

// knownFacts lists the facts that have names of their own, roughly by how often they are used.
// Warnings about hidden facts are in this order.
func knownFacts() []groupFact {
	return []groupFact{
		{name: "task", doc: "the family of the item, such as reverse", record: familyOf},
		{name: "length", doc: "the length of the item", record: ofItem(verbatim.FactLength)},
		{name: "model", doc: "the model of the run", run: func(r *verbatim.Run) string { return r.Model }, hidden: true},
		{name: "run", doc: "the run's name", run: func(r *verbatim.Run) string { return r.Name }},
		{name: "provider", doc: "the provider or address of the model", run: func(r *verbatim.Run) string { return provider(r.Model) }},
		{name: "effort", doc: "the reasoning effort of the requests", run: func(r *verbatim.Run) string { return r.Params.Effort }},
		{name: "temperature", doc: "the temperature of the requests", run: temperature},
		{name: "suite", doc: "the suite of the plan", run: func(r *verbatim.Run) string { return r.Plan.Suite }, hidden: true},
		{name: "edition", doc: "the edition of the item", record: ofItem(verbatim.FactEdition), hidden: true},
		{name: "version", doc: "the family with its version, such as reverse@1", record: itemVersion, scope: before("@"), hidden: true},
		{name: "prompt", doc: "the prompt variant: shots, paraphrase, system prompt", run: func(r *verbatim.Run) string { return promptText(r.Plan.Variant) }, hidden: true},
		{name: "parameters", doc: "the parameters of the requests", run: func(r *verbatim.Run) string { return ParameterText(r.Params) }, hidden: true},
		{name: "seed", doc: "the seed of the plan", run: func(r *verbatim.Run) string { return strconv.FormatUint(r.Plan.Seed, 10) }, hidden: true},
		{name: "trials", doc: "the number of trials per item", run: func(r *verbatim.Run) string { return strconv.Itoa(r.Plan.Trials) }, hidden: true},
		{name: "plan", doc: "the hash of the plan", run: func(r *verbatim.Run) string { return terminal.Prefix(r.Plan.Hash, 12) }, hidden: true},
		{name: "served", doc: "the model that the server reports", record: ofReply(func(r *verbatim.Reply) string { return r.ServedModel }),
			scope: func(r *verbatim.Run, _ string) string { return r.Model }, hidden: true},
		{name: "upstream", doc: "the server behind a router, or the fingerprint of the model", record: upstreamOf,
			scope: func(r *verbatim.Run, _ string) string { return r.Model }, hidden: true},
		{name: "grader", doc: "the grader with its version", record: ofGrade(func(g *verbatim.Grade) string { return g.Grader }), scope: before("/"), hidden: true},
		{name: "day", doc: "the UTC day of the request", record: dayOf},
		{name: "trial", doc: "the trial of the item, from 0", record: func(r *verbatim.Record) string { return strconv.Itoa(r.Trial) }},
		{name: "outcome", doc: "the outcome: pass, wrong, error and so on", record: func(r *verbatim.Record) string { return string(r.Outcome) }},
		{name: "label", doc: "the label of the grade", record: ofGrade(func(g *verbatim.Grade) string { return g.Label })},
		{name: "finish", doc: "the finish reason of the reply", record: ofReply(func(r *verbatim.Reply) string { return string(r.Finish) })},
		{name: knobFact, doc: "the fact that makes items of the task harder, with its value, such as ties=2", record: knobOf()},
		{name: "mode", doc: "SortBench's basic, advanced or debug", record: ofItem(verbatim.FactMode)},
		{name: "origin", doc: "the source of imported replies", run: func(r *verbatim.Run) string { return r.Origin }},
		{name: "tool", doc: "the version of the program that made the run", run: func(r *verbatim.Run) string { return r.Tool }},
	}
}

// knobFact is the name of the fact that is the first knob of an item's family.
const knobFact = "knob"

// knobOf returns a function that reads the knob of an item. It collects the knobs of the families
// when it is first called.
func knobOf() func(*verbatim.Record) string {
	all := sync.OnceValue(task.AllKnobs)
	return func(r *verbatim.Record) string { return all().First(r.Item) }
}

// ParseGroupBy reads the value of --group-by: names with commas between them. An empty text is no
// grouping. Whether items have a fact that GroupFacts does not list is known only when they are
// read: Of returns a *GroupError if none has it.
func ParseGroupBy(s string) ([]string, error) {
	if strings.TrimSpace(s) == "" {
		return nil, nil
	}
	var names []string
	for name := range strings.SplitSeq(s, ",") {
		if name = strings.TrimSpace(name); name == "" {
			return nil, fmt.Errorf("%q has nothing between two commas, or at an end: name facts as in model,length", terminal.Visible(s))
		}
		names = append(names, name)
	}
	_, err := groupFacts(names)
	return names, err
}

// groupFacts returns the facts with these names.
func groupFacts(names []string) ([]groupFact, error) {
	var list []groupFact
	for _, name := range names {
		f, err := groupFactOf(name)
		if err != nil {
			return nil, err
		}
		if slices.ContainsFunc(list, func(o groupFact) bool { return o.name == f.name }) {
			return nil, fmt.Errorf("%s is named twice", terminal.Visible(name))
		}
		list = append(list, f)
	}
	if len(list) > maxGroupBy {
		return nil, fmt.Errorf("%d facts to group by are too many: name at most %d", len(list), maxGroupBy)
	}
	return list, nil
}

// maxGroupBy bounds the number of facts, so that the table stays readable.
const maxGroupBy = 8

// groupFactOf returns the fact of a name: a known one, or a fact of items.
func groupFactOf(name string) (groupFact, error) {
	for _, f := range knownFacts() {
		if f.name == alias(name) {
			return f, nil
		}
	}
	own := strings.TrimPrefix(name, "fact:")
	if own == "" || strings.ContainsFunc(own, func(r rune) bool { return r == ':' || r < ' ' }) {
		return groupFact{}, fmt.Errorf("%q names no fact: there are %s, and those that items name, as fact:NAME", terminal.Visible(name), factNames())
	}
	return groupFact{name: "fact:" + own, record: ofItem(own)}, nil
}

// alias returns the name of a fact for another word for it. Other names it returns unchanged.
func alias(name string) string {
	switch name {
	case "family":
		return "task"
	case "variant":
		return "prompt"
	case "served_model":
		return "served"
	}
	return name
}

func factNames() string {
	var names []string
	for _, f := range GroupFacts() {
		names = append(names, f.Name)
	}
	return strings.Join(names, ", ")
}

// ofItem returns a function that reads a fact of an item.
func ofItem(fact string) func(*verbatim.Record) string {
	return func(r *verbatim.Record) string { return r.Item.Facts[fact] }
}

// before returns the scope of values such as "reverse@1": the part before a mark.
func before(mark string) func(*verbatim.Run, string) string {
	return func(_ *verbatim.Run, value string) string {
		name, _, _ := strings.Cut(value, mark)
		return name
	}
}

// itemVersion returns the family with its version, such as "reverse@1", with which the ID of a
// drawn item begins; "" for other items.
func itemVersion(r *verbatim.Record) string {
	head, _, _ := strings.Cut(r.Item.ID, "/")
	if !strings.Contains(head, "@") {
		return ""
	}
	return head
}

// ofReply returns a function that reads a value of a reply.
func ofReply(read func(*verbatim.Reply) string) func(*verbatim.Record) string {
	return func(r *verbatim.Record) string {
		if r.Reply == nil {
			return ""
		}
		return read(r.Reply)
	}
}

// ofGrade returns a function that reads a value of a grade.
func ofGrade(read func(*verbatim.Grade) string) func(*verbatim.Record) string {
	return func(r *verbatim.Record) string {
		if r.Grade == nil {
			return ""
		}
		return read(r.Grade)
	}
}

func dayOf(r *verbatim.Record) string {
	at := askedAt(r)
	if at.IsZero() {
		return ""
	}
	return dayName(dayNumber(at))
}

func temperature(r *verbatim.Run) string {
	if r.Params.Temperature == nil {
		return ""
	}
	return strconv.FormatFloat(*r.Params.Temperature, 'g', -1, 64)
}

// provider returns the part of a model's name before the model: "openai" of "openai:gpt-4o", and
// of "http://host/v1#m" the address without its fragment.
func provider(model string) string {
	if strings.HasPrefix(model, "http://") || strings.HasPrefix(model, "https://") {
		address, _, _ := strings.Cut(model, "#")
		return address
	}
	name, _, found := strings.Cut(model, ":")
	if !found {
		return ""
	}
	return name
}
