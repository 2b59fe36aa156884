package report

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/listsort"
	"verbatim/internal/number"
	"verbatim/internal/task"
	"verbatim/internal/terminal"
)

// maxGroups bounds the groups, and with them the memory and the length of the table.
const maxGroups = 2000

// groups gathers records by the values of facts: those of a run, or of a part of it,
// and later of several runs.
type groups struct {
	by     []groupFact
	hidden []groupFact // those of records that by does not name
	found  map[string]*group
	over   bool  // there are more than maxGroups
	own    tally // the facts that items name, as far as they were looked at

	run   *verbatim.Run
	fixed []string // the values of the run, in the order of by; "" where records have their own
	key   []byte   // of the record that is added
}

// A group is the records with the same values.
type group struct {
	values []string
	cell   cell
	parts  []*groupPart
}

// A groupPart is what a group has of one run.
type groupPart struct {
	run    *verbatim.Run
	n      int64
	hidden []tally // in the order of groups.hidden
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

// hiddenFacts lists the facts that should not differ unnoticed, but for those that
// are shown.
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
		if at = g.grow(rec); at == nil {
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

func (g *groups) value(i int, rec *verbatim.Record) string {
	if read := g.by[i].record; read != nil {
		return read(rec)
	}
	return g.fixed[i]
}

// grow makes the group of a record; nil where there are too many.
func (g *groups) grow(rec *verbatim.Record) *group {
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

// part returns what the group has of a run.
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

// A GroupError says that the records cannot be grouped as was asked: by a fact that
// none of them has, or into more groups than a table can show.
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
	listsort.Stable(out.Groups, func(a, b Group) int {
		for i := range g.by {
			if g.by[i].name == knobFact {
				if c := cmp.Compare(knobs.Rank(a.Key[i]), knobs.Rank(b.Key[i])); c != 0 {
					return c
				}
			}
			if c := compareValues(g.by[i].name, a.Key[i], b.Key[i]); c != 0 {
				return c
			}
		}
		return 0
	})
	out.Warnings = pooled(g, out)
	return out, nil
}

// unknown is the error of a fact that no item names.
func (g *groups) unknown() error {
	for i, f := range g.by {
		own, is := strings.CutPrefix(f.name, "fact:")
		if !is || len(g.found) == 0 {
			continue
		}
		named := false
		for _, at := range g.found {
			named = named || at.values[i] != ""
		}
		if !named {
			var names []string
			for _, c := range g.own.ranked() {
				names = append(names, c.Name)
			}
			slices.Sort(names)
			return &GroupError{terminal.Visible(fmt.Sprintf("no item names the fact %s: the items' own facts are %s; --group-by also takes %s",
				own, strings.Join(names, ", "), factNames()))}
		}
	}
	return nil
}

// compareValues orders values of one fact: numbers by their size, before words, outcomes
// as tables show them, and what is not known last.
func compareValues(fact, a, b string) int {
	if a == "" || b == "" {
		return cmp.Compare(b, a)
	}
	if fact == "outcome" {
		return cmp.Compare(outcomeAt(a), outcomeAt(b))
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

func outcomeAt(name string) int { return slices.Index(verbatim.Outcomes(), verbatim.Outcome(name)) }

// groupedBy reports whether records are grouped by a fact; g may be nil.
func (g *groups) groupedBy(name string) bool {
	return g != nil && slices.ContainsFunc(g.by, func(f groupFact) bool { return f.name == name })
}

// mixed lists the facts that are not shown and not the same for all records of the
// group, as benchstat tells of the keys that its columns pool.
func (at *group) mixed(g *groups) []Mixed {
	var list []Mixed
	for _, f := range hiddenFacts(g.by) {
		if f.name == "plan" && explained(list) {
			continue // which what was found before says better
		}
		by := make(map[string]*tally) // by scope
		count := func(run *verbatim.Run, value string, n int64) {
			about := ""
			if f.scope != nil {
				about = f.scope(run, value)
			}
			if by[about] == nil {
				by[about] = new(tally)
			}
			by[about].addN(value, n)
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
		for _, t := range by {
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

// explained reports whether one of the facts makes plans different.
func explained(list []Mixed) bool {
	return slices.ContainsFunc(list, func(m Mixed) bool {
		switch m.Fact {
		case "suite", "edition", "version", "prompt", "seed", "trials":
			return true
		}
		return false
	})
}

// pooled warns of what the groups pool: with which values, and what would tell them
// apart.
func pooled(g *groups, out *Grouping) []Warning {
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
