package report

import (
	"fmt"
	"slices"
	"strings"

	"verbatim"
)

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
			if len(t.counts) > 1 {
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

// ListSome lists the commonest values with their numbers of records.
func ListSome(counts []Count) string {
	const most = 5
	if len(counts) <= most+1 {
		return ListCounts(counts)
	}
	return fmt.Sprintf("%s and %d more", ListCounts(counts[:most]), len(counts)-most)
}
