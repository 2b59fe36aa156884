package verdict

import (
	"cmp"
	"slices"
	"strconv"

	"verbatim"
)

// A grid finds the cell of an item: its family and its length, or the band of
// lengths that the plan reports together.
type grid struct {
	cells    []verbatim.Cell // of a plan that has some
	spots    []spot
	families []string
	lengths  []length
	facts    map[[2]string]int
	full     bool // some items have no cell of their own, since there were too many
}

// A spot is a cell of the grid.
type spot struct {
	family, length int // indexes; length -1: it has none
	design         int // the cell of the plan, or one of its own, that the item was drawn in
}

// A length is a row of lengths: one, or a band.
type length struct {
	name  string
	span  *verbatim.Lengths // nil where the name is not a number
	where int               // the only family that has it; -1: several do
}

// maxSpots bounds the cells that are told apart, since items of users may have
// any facts. What comes after them falls into one cell of its family.
const maxSpots = 4096

func newGrid(plans ...*verbatim.Plan) *grid {
	g := &grid{facts: make(map[[2]string]int)}
	for _, p := range plans {
		if len(g.cells) == 0 {
			g.cells = p.Cells
		}
	}
	for _, c := range g.cells { // families in the order of the plan
		g.family(c.Family)
	}
	return g
}

// cell returns the index of the spot of an item with these facts.
func (g *grid) cell(family, size string) int {
	key := [2]string{family, size}
	if i, ok := g.facts[key]; ok {
		return i
	}
	if len(g.facts) >= maxSpots {
		g.full = true
		key[1] = ""
		if i, ok := g.facts[key]; ok {
			return i
		}
		if len(g.facts) >= 2*maxSpots {
			key[0] = others
		}
		if i, ok := g.facts[key]; ok {
			return i
		}
	}
	i := g.place(key[0], key[1])
	g.facts[key] = i
	return i
}

// others is the family of what has no room in a family of its own.
const others = "(others)"

func (g *grid) place(family, size string) int {
	if family == "" {
		family = "items"
	}
	s := spot{family: g.family(family), length: -1, design: -1}
	n, err := strconv.Atoi(size)
	span := &verbatim.Lengths{Min: n, Max: n}
	if err != nil {
		span = nil
	}
	name := size
	for i, c := range g.cells {
		if span == nil || c.Family != family || n < c.Length.Min || n > c.Length.Max {
			continue
		}
		s.design, span = i, &c.Length
		for _, band := range c.Bands {
			if band.Min <= n && n <= band.Max {
				span = &band
			}
		}
		name = spanName(*span)
		break
	}
	if name != "" {
		s.length = g.row(name, span, s.family)
	}
	for i, t := range g.spots {
		if t.family == s.family && t.length == s.length && (s.design < 0 || t.design == s.design) {
			return i
		}
	}
	if s.design < 0 {
		s.design = len(g.cells) + len(g.spots)
	}
	g.spots = append(g.spots, s)
	return len(g.spots) - 1
}

func spanName(l verbatim.Lengths) string {
	if l.Min == l.Max {
		return strconv.Itoa(l.Min)
	}
	return strconv.Itoa(l.Min) + "–" + strconv.Itoa(l.Max)
}

func (g *grid) family(name string) int {
	i := slices.Index(g.families, name)
	if i < 0 {
		i = len(g.families)
		g.families = append(g.families, name)
	}
	return i
}

func (g *grid) row(name string, span *verbatim.Lengths, family int) int {
	i := slices.IndexFunc(g.lengths, func(l length) bool { return l.name == name })
	if i < 0 {
		i = len(g.lengths)
		g.lengths = append(g.lengths, length{name, span, family})
	}
	if g.lengths[i].where != family {
		g.lengths[i].where = -1
	}
	return i
}

// design returns the cell of the design that a spot belongs to.
func (g *grid) design(spot int) int { return g.spots[spot].design }

// sameLength merges spots of one length.
func (g *grid) sameLength(spot int) int { return g.spots[spot].length }

// rising returns the indexes of the lengths, the shortest first; names that are
// no numbers come last. Where no family shares a length with another, as with bands
// of their own, each family's stand together.
func (g *grid) rising() []int {
	order := make([]int, len(g.lengths))
	for i := range order {
		order[i] = i
	}
	shared := slices.ContainsFunc(g.lengths, func(l length) bool { return l.where < 0 })
	slices.SortStableFunc(order, func(i, j int) int {
		if x, y := g.lengths[i].where, g.lengths[j].where; !shared && x != y {
			if len(g.cells) > 0 {
				return cmp.Compare(x, y) // the order of the plan
			}
			return cmp.Compare(g.families[x], g.families[y])
		}
		return g.compare(i, j)
	})
	return order
}

func (g *grid) compare(i, j int) int {
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
