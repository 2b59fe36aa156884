package verdict

import (
	"cmp"
	"slices"
	"strconv"

	"verbatim"
)

// A grid finds the cell of an item: its family and its length, or the band of
// lengths that the plan reports together.
type Grid struct {
	planned  []verbatim.Cell // of a plan that has some
	cells    []gridCell
	families []string
	lengths  []lengthRow
	known    map[[2]string]int
	full     bool // some items have no cell of their own, since there were too many
}

// A spot is a cell of the grid.
type gridCell struct {
	family, length int // indexes; length -1: it has none
	planned        int // the cell of the plan, or one of its own, that the item was drawn in
}

// A length is a row of lengths: one, or a band.
type lengthRow struct {
	name   string
	span   *verbatim.Lengths // nil where the name is not a number
	family int               // the only family that has it; -1: several do
}

// maxSpots bounds the cells that are told apart, since items of users may have
// any facts. What comes after them falls into one cell of its family.
const maxCells = 4096

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

// cell returns the index of the spot of an item with these facts.
func (g *Grid) Cell(family, size string) int {
	key := [2]string{family, size}
	if i, ok := g.known[key]; ok {
		return i
	}
	if len(g.known) >= maxCells {
		g.full = true
		key[1] = ""
		if i, ok := g.known[key]; ok {
			return i
		}
		if len(g.known) >= 2*maxCells {
			key[0] = others
		}
		if i, ok := g.known[key]; ok {
			return i
		}
	}
	i := g.newCell(key[0], key[1])
	g.known[key] = i
	return i
}

// others is the family of what has no room in a family of its own.
const others = "(others)"

func (g *Grid) newCell(family, size string) int {
	if family == "" {
		family = "items"
	}
	s := gridCell{family: g.familyIndex(family), length: -1, planned: -1}
	n, err := strconv.Atoi(size)
	span := &verbatim.Lengths{Min: n, Max: n}
	if err != nil {
		span = nil
	}
	name := size
	for i, c := range g.planned {
		if span == nil || c.Family != family || n < c.Length.Min || n > c.Length.Max {
			continue
		}
		s.planned, span = i, &c.Length
		for _, band := range c.Bands {
			if band.Min <= n && n <= band.Max {
				span = &band
			}
		}
		name = spanName(*span)
		break
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

func spanName(l verbatim.Lengths) string {
	if l.Min == l.Max {
		return strconv.Itoa(l.Min)
	}
	return strconv.Itoa(l.Min) + "–" + strconv.Itoa(l.Max)
}

func (g *Grid) familyIndex(name string) int {
	i := slices.Index(g.families, name)
	if i < 0 {
		i = len(g.families)
		g.families = append(g.families, name)
	}
	return i
}

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

// design returns the cell of the design that a spot belongs to.
func (g *Grid) Design(spot int) int { return g.cells[spot].planned }

// sameLength merges spots of one length.
func (g *Grid) SameLength(spot int) int { return g.cells[spot].length }

// rising returns the indexes of the lengths, the shortest first; names that are
// no numbers come last. Where no family shares a length with another, as with bands
// of their own, each family's stand together.
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
