package report

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

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
