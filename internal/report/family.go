package report

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strconv"

	"verbatim"
)

const (
	// maxLengths is how many lengths of a family get a line each. Beyond it, as
	// in a user's file of texts that all differ in length, lengths are reported
	// in bands that double: 1, 2, 3–4, 5–8, 9–16 and so on.
	maxLengths = 48
	// maxFamilies bounds the families that are counted separately.
	maxFamilies = 256
)

// A family gathers the cells of one family while records are folded.
type family struct {
	name    string
	listed  bool  // the plan names it
	first   int64 // the first place of a record of it
	planned *int64
	spots   []*spot          // one for each line, in no order
	found   map[string]*spot // by the length that items name
	bands   bool             // lengths that the plan does not name are in doubling bands
	rest    *spot            // of words for lengths that are too many; nil: none
	errors  firstErrors
}

// A spot is one line in the making.
type spot struct {
	label   string
	lengths *verbatim.Lengths // nil where the length is not a number
	listed  bool              // the plan names it
	planned *int64
	cell    cell
}

// newFamily makes the lines that the plan foresees, so that what was planned and
// not yet asked shows as such.
func newFamily(name string, plan *verbatim.Plan) *family {
	f := &family{name: name, first: math.MaxInt64, found: make(map[string]*spot)}
	for _, c := range plan.Cells {
		if c.Family != name {
			continue
		}
		f.listed = true
		n := int64(c.N) * int64(plan.Trials)
		f.planned = plus(f.planned, n)
		for _, band := range c.Bands {
			f.spotOf(band, true) // how many fall into it is known only once they are drawn
		}
		if len(c.Bands) == 0 && c.Length.Min == c.Length.Max {
			s := f.spotOf(c.Length, true)
			s.planned = plus(s.planned, n)
		}
	}
	return f
}

func plus(p *int64, n int64) *int64 {
	if p != nil {
		n += *p
	}
	return &n
}

// spotOf returns the line of exactly these lengths, which the plan lists or not; a
// new one otherwise.
func (f *family) spotOf(l verbatim.Lengths, listed bool) *spot {
	for _, s := range f.spots {
		if s.lengths != nil && *s.lengths == l && s.listed == listed {
			return s
		}
	}
	s := &spot{label: lengthLabel(l), lengths: &l, listed: listed}
	f.spots = append(f.spots, s)
	return s
}

func lengthLabel(l verbatim.Lengths) string {
	if l.Min == l.Max {
		return strconv.Itoa(l.Min)
	}
	return strconv.Itoa(l.Min) + "–" + strconv.Itoa(l.Max)
}

// cell returns the cell that records of this length go to.
func (f *family) cell(length string) *cell {
	s, ok := f.found[length]
	if !ok {
		s = f.place(length)
		if len(f.found) < MaxNames*maxLengths { // a cache, not a promise
			f.found[length] = s
		}
	}
	return &s.cell
}

// place finds the line of a length. Which lines there are in the end depends on all
// lengths together and not on their order, so that families add up.
func (f *family) place(length string) *spot {
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 {
		return f.word(length)
	}
	for _, s := range f.spots {
		if s.listed && s.lengths.Min <= n && n <= s.lengths.Max {
			return s
		}
	}
	return f.unlisted(verbatim.Lengths{Min: n, Max: n})
}

// unlisted returns the line of a length, or of a band, that the plan does not list.
func (f *family) unlisted(l verbatim.Lengths) *spot {
	if f.bands {
		return f.spotOf(doubling(l.Max), false)
	}
	s := f.spotOf(l, false)
	n := 0
	for _, s := range f.spots {
		if s.lengths != nil && !s.listed {
			n++
		}
	}
	if n > maxLengths {
		f.coarsen()
		return f.spotOf(doubling(l.Max), false)
	}
	return s
}

// word returns the line of a length that is not a number. Of too many the last ones
// of the alphabet share a line.
func (f *family) word(label string) *spot {
	if label == Others {
		return f.remainder()
	}
	var most *spot
	n := 0
	for _, s := range f.spots {
		if s.lengths != nil || s == f.rest {
			continue
		}
		if s.label == label {
			return s
		}
		if n++; most == nil || s.label > most.label {
			most = s
		}
	}
	s := &spot{label: label}
	if n < maxLengths {
		f.spots = append(f.spots, s)
		return s
	}
	if label > most.label {
		return f.remainder()
	}
	f.remainder().cell.merge(&most.cell)
	f.spots[slices.Index(f.spots, most)] = s
	clear(f.found)
	return s
}

// remainder returns the line of the words that are too many.
func (f *family) remainder() *spot {
	if f.rest == nil {
		f.rest = &spot{label: Others}
		f.spots = append(f.spots, f.rest)
	}
	return f.rest
}

// coarsen puts the lengths that the plan does not list into doubling bands.
func (f *family) coarsen() {
	fine := f.spots
	f.spots, f.bands = nil, true
	clear(f.found)
	for _, s := range fine {
		if s.lengths == nil || s.listed {
			f.spots = append(f.spots, s)
		}
	}
	for _, s := range fine {
		if s.lengths != nil && !s.listed {
			f.spotOf(doubling(s.lengths.Max), false).cell.merge(&s.cell)
		}
	}
}

// merge adds what another part of the run has of the family, or of another one that
// is counted with it.
func (f *family) merge(o *family) {
	f.first = min(f.first, o.first)
	f.errors.merge(&o.errors)
	if o.bands && !f.bands {
		f.coarsen()
	}
	for _, s := range o.spots {
		var to *spot
		switch {
		case s.listed:
			to = f.spotOf(*s.lengths, true)
		case s.lengths != nil:
			to = f.unlisted(*s.lengths)
		default:
			to = f.word(s.label)
		}
		to.cell.merge(&s.cell)
	}
}

func doubling(n int) verbatim.Lengths {
	if n <= 2 {
		return verbatim.Lengths{Min: n, Max: n}
	}
	top := 1 << bits.Len(uint(n-1))
	return verbatim.Lengths{Min: top/2 + 1, Max: top}
}

// finish returns the family's lines and its total, and that total's cell. complete
// says that everything planned is recorded, so that the counts are the plan's.
func (f *family) finish(complete bool) (Family, *cell) {
	slices.SortStableFunc(f.spots, func(a, b *spot) int {
		switch {
		case a.lengths != nil && b.lengths != nil:
			return cmp.Or(cmp.Compare(a.lengths.Min, b.lengths.Min), cmp.Compare(a.lengths.Max, b.lengths.Max))
		case a.lengths != nil:
			return -1
		case b.lengths != nil:
			return 1
		}
		return cmp.Compare(a.label, b.label)
	})
	out := Family{Name: f.name}
	all := new(cell)
	for _, s := range f.spots {
		s.cell.items.Join() // of the parts of the run
		all.merge(&s.cell)
		line := s.cell.finish(plannedOf(s.planned, &s.cell, complete))
		line.Family, line.Length, line.Lengths = f.name, s.label, s.lengths
		out.Lines = append(out.Lines, line)
	}
	out.Total = all.finish(plannedOf(f.planned, all, complete))
	out.Total.Family = f.name
	out.ModelScore, out.FirstErrors = modelScore(out.Lines), f.errors.finish()
	return out, all
}

// plannedOf returns what the plan says, at least what is recorded, and where the
// plan says nothing what is recorded if that is all.
func plannedOf(says *int64, c *cell, complete bool) *int64 {
	recorded, _ := c.recorded()
	if says == nil && !complete {
		return nil
	}
	if says == nil || *says < recorded {
		return &recorded
	}
	return says
}
