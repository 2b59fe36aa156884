package verdict

import (
	"cmp"
	"slices"
	"strconv"

	"verbatim"
)

// A Grid maps an item to its cell: the family, and the length or the band of lengths that
// the plan reports together.
type Grid struct {
	planned  []verbatim.Cell // cells of the plan
	cells    []gridCell
	families []string
	lengths  []lengthRow
	known    map[[2]string]int
	overflow bool // some items have no cell of their own
}

// A gridCell is one cell of a Grid.
type gridCell struct {
	family, length int // indexes; length -1 for items without a length
	planned        int // stratum of the design, see Design
}

// A lengthRow is one length, or a band of lengths.
type lengthRow struct {
	name   string
	span   *verbatim.Lengths // nil if the name is not a number
	family int               // the only family with this length; -1 if there are several
}

// maxCells bounds the number of cells, because users' items may have any facts. Above it,
// items of new lengths share one cell of their family.
const maxCells = 4096

// NewGrid makes a grid from the first plan that has cells.
func NewGrid(plans ...*verbatim.Plan) *Grid {
	g := &Grid{known: make(map[[2]string]int)}
	for _, p := range plans {
		if len(g.planned) == 0 {
			g.planned = p.Cells
		}
	}
	for _, c := range g.planned { // families in the order of the plan
		g.familyIndex(c.Family)
	}
	return g
}

// Cell returns the index of the cell of an item.
func (g *Grid) Cell(family, length string) int {
	key := [2]string{family, length}
	if i, ok := g.known[key]; ok {
		return i
	}
	if len(g.known) >= maxCells {
		g.overflow = true
		key[1] = ""
		if _, ok := g.known[key]; !ok && len(g.known) >= 2*maxCells {
			key[0] = otherFamilies
		}
		if i, ok := g.known[key]; ok {
			return i
		}
	}
	i := g.newCell(key[0], key[1])
	g.known[key] = i
	return i
}

// otherFamilies is the family that items of new families share above twice maxCells.
const otherFamilies = "(others)"

// newCell returns the index of the cell of a family and a length that no item had before.
func (g *Grid) newCell(family, length string) int {
	family = cmp.Or(family, "items")
	s := gridCell{family: g.familyIndex(family), length: -1, planned: -1}
	name, span := length, (*verbatim.Lengths)(nil)
	if n, err := strconv.Atoi(length); err == nil {
		span = &verbatim.Lengths{Min: n, Max: n}
		holds := func(l verbatim.Lengths) bool { return l.Min <= n && n <= l.Max }
		s.planned = slices.IndexFunc(g.planned, func(c verbatim.Cell) bool { return c.Family == family && holds(c.Length) })
		if s.planned >= 0 {
			c := &g.planned[s.planned]
			span = &c.Length
			if i := slices.IndexFunc(c.Bands, holds); i >= 0 {
				span = &c.Bands[i]
			}
			name = spanName(*span)
		}
	}
	if name != "" {
		s.length = g.lengthIndex(name, span, s.family)
	}
	for i, t := range g.cells {
		if t.family == s.family && t.length == s.length && (s.planned < 0 || t.planned == s.planned) {
			return i
		}
	}
	if s.planned < 0 {
		s.planned = len(g.planned) + len(g.cells)
	}
	g.cells = append(g.cells, s)
	return len(g.cells) - 1
}

// spanName is the name of a band of lengths.
func spanName(l verbatim.Lengths) string {
	if l.Min == l.Max {
		return strconv.Itoa(l.Min)
	}
	return strconv.Itoa(l.Min) + "–" + strconv.Itoa(l.Max)
}

// familyIndex returns the index of a family and adds it if it is missing.
func (g *Grid) familyIndex(name string) int {
	i := slices.Index(g.families, name)
	if i < 0 {
		i = len(g.families)
		g.families = append(g.families, name)
	}
	return i
}

// lengthIndex returns the index of a length and adds it if it is missing.
func (g *Grid) lengthIndex(name string, span *verbatim.Lengths, family int) int {
	i := slices.IndexFunc(g.lengths, func(l lengthRow) bool { return l.name == name })
	if i < 0 {
		i = len(g.lengths)
		g.lengths = append(g.lengths, lengthRow{name, span, family})
	}
	if g.lengths[i].family != family {
		g.lengths[i].family = -1
	}
	return i
}

// Family returns the family of a cell.
func (g *Grid) Family(cell int) string { return g.families[g.cells[cell].family] }

// Design maps a cell to the stratum of the design: the cell of the plan, or a cell of its
// own.
func (g *Grid) Design(cell int) int { return g.cells[cell].planned }

// SameLength maps a cell to the index of its length.
func (g *Grid) sameLength(cell int) int { return g.cells[cell].length }

// lengthOrder returns the indexes of the lengths, the shortest first; names that are not
// numbers come last. If no two families share a length, the lengths of a family stay
// together: families often have bands of their own.
func (g *Grid) lengthOrder() []int {
	order := make([]int, len(g.lengths))
	for i := range order {
		order[i] = i
	}
	shared := slices.ContainsFunc(g.lengths, func(l lengthRow) bool { return l.family < 0 })
	slices.SortStableFunc(order, func(i, j int) int {
		if x, y := g.lengths[i].family, g.lengths[j].family; !shared && x != y {
			if len(g.planned) > 0 {
				return cmp.Compare(x, y) // the order of the plan
			}
			return cmp.Compare(g.families[x], g.families[y])
		}
		return g.compare(i, j)
	})
	return order
}

// compare orders two lengths by their indexes. Numbers come before other names; -1 comes first.
func (g *Grid) compare(i, j int) int {
	if i < 0 || j < 0 {
		return cmp.Compare(i, j)
	}
	x, y := g.lengths[i], g.lengths[j]
	switch {
	case x.span == nil && y.span == nil:
		return cmp.Compare(x.name, y.name)
	case x.span == nil:
		return 1
	case y.span == nil:
		return -1
	}
	return cmp.Or(cmp.Compare(x.span.Min, y.span.Min), cmp.Compare(x.span.Max, y.span.Max))
}
