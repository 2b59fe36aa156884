package report

import (
	"cmp"
	"math"
	"math/bits"
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

const (
	// maxLengths is the number of lengths of a family with a line of their own. More of them,
	// as in a file of texts that all differ in length, are reported in bands that double: 1,
	// 2, 3–4, 5–8, 9–16 and so on.
	maxLengths = 48
	// maxFamilies is the number of families that are counted separately.
	maxFamilies = 256
)

// A family gathers the records of one family.
type family struct {
	name    string
	listed  bool            // the plan names it
	first   int64           // the first position of a record
	planned *int64          // nil: unknown
	rows    []*row          // in any order
	found   map[string]*row // a cache, by the length that items name
	bands   bool            // lengths that the plan does not list are in doubling bands
	rest    *row            // shared by the last of too many lengths that are words; nil: none
	errors  firstErrors
}

// A row gathers the records of a family at one length or in one band of lengths.
type row struct {
	label   string
	lengths *verbatim.Lengths // nil if the length is a word
	listed  bool              // the plan lists it
	planned *int64            // nil: unknown
	cell    cell
}

// newFamily returns a family with the rows that the plan lists, so that lengths without
// records show as well.
func newFamily(name string, plan *verbatim.Plan) *family {
	f := &family{name: name, first: math.MaxInt64, found: make(map[string]*row)}
	for _, c := range plan.Cells {
		if c.Family != name {
			continue
		}
		f.listed = true
		n := int64(c.N) * int64(plan.Trials)
		f.planned = plus(f.planned, n)
		for _, band := range c.Bands {
			f.rowOf(band, true) // the number of its items is known only when they are drawn
		}
		if len(c.Bands) == 0 && c.Length.Min == c.Length.Max {
			r := f.rowOf(c.Length, true)
			r.planned = plus(r.planned, n)
		}
	}
	return f
}

// plus returns p + n, where nil counts as 0.
func plus(p *int64, n int64) *int64 {
	if p != nil {
		n += *p
	}
	return &n
}

// rowOf returns the row of exactly these lengths. listed says whether the plan lists it. A
// missing row is created.
func (f *family) rowOf(l verbatim.Lengths, listed bool) *row {
	for _, r := range f.rows {
		if r.lengths != nil && *r.lengths == l && r.listed == listed {
			return r
		}
	}
	r := &row{label: lengthLabel(l), lengths: &l, listed: listed}
	f.rows = append(f.rows, r)
	return r
}

// lengthLabel returns "16" for one length and "9–16" for a band.
func lengthLabel(l verbatim.Lengths) string {
	if l.Min == l.Max {
		return strconv.Itoa(l.Min)
	}
	return strconv.Itoa(l.Min) + "–" + strconv.Itoa(l.Max)
}

// CompareLengths orders the lengths of lines, given by their labels and as numbers: numbers and
// bands before words, which have none.
func CompareLengths(labelA string, a *verbatim.Lengths, labelB string, b *verbatim.Lengths) int {
	switch {
	case a != nil && b != nil:
		return cmp.Or(cmp.Compare(a.Min, b.Min), cmp.Compare(a.Max, b.Max))
	case a != nil:
		return -1
	case b != nil:
		return 1
	}
	return cmp.Compare(labelA, labelB)
}

// cell returns the cell for records of this length.
func (f *family) cell(length string) *cell {
	r, ok := f.found[length]
	if !ok {
		r = f.find(length)
		if len(f.found) < maxNames*maxLengths { // items may name any number of lengths
			f.found[length] = r
		}
	}
	return &r.cell
}

// find returns the row of a length. Which rows there are in the end depends on the set of
// lengths, not on their order, so that families can be merged.
func (f *family) find(length string) *row {
	n, err := strconv.Atoi(length)
	if err != nil || n < 0 {
		return f.word(length)
	}
	for _, r := range f.rows {
		if r.listed && r.lengths.Min <= n && n <= r.lengths.Max {
			return r
		}
	}
	return f.unlisted(verbatim.Lengths{Min: n, Max: n})
}

// unlisted returns the row of a length, or of a band, that the plan does not list.
func (f *family) unlisted(l verbatim.Lengths) *row {
	if f.bands {
		return f.rowOf(doubling(l.Max), false)
	}
	r := f.rowOf(l, false)
	n := 0
	for _, r := range f.rows {
		if r.lengths != nil && !r.listed {
			n++
		}
	}
	if n > maxLengths {
		f.coarsen()
		return f.rowOf(doubling(l.Max), false)
	}
	return r
}

// word returns the row of a length that is a word. At most maxLengths words have a row of their
// own: the first ones of the alphabet. The others share one.
func (f *family) word(label string) *row {
	if label == Others {
		return f.remainder()
	}
	var last *row // of the alphabet
	n := 0
	for _, r := range f.rows {
		if r.lengths != nil || r == f.rest {
			continue
		}
		if r.label == label {
			return r
		}
		if n++; last == nil || r.label > last.label {
			last = r
		}
	}
	r := &row{label: label}
	if n < maxLengths {
		f.rows = append(f.rows, r)
		return r
	}
	if label > last.label {
		return f.remainder()
	}
	f.remainder().cell.merge(&last.cell)
	f.rows[slices.Index(f.rows, last)] = r
	clear(f.found)
	return r
}

// remainder returns the row that too many words share.
func (f *family) remainder() *row {
	if f.rest == nil {
		f.rest = &row{label: Others}
		f.rows = append(f.rows, f.rest)
	}
	return f.rest
}

// coarsen puts the lengths that the plan does not list into doubling bands.
func (f *family) coarsen() {
	fine := f.rows
	f.rows, f.bands = nil, true
	clear(f.found)
	for _, r := range fine {
		if r.lengths == nil || r.listed {
			f.rows = append(f.rows, r)
		}
	}
	for _, r := range fine {
		if r.lengths != nil && !r.listed {
			f.rowOf(doubling(r.lengths.Max), false).cell.merge(&r.cell)
		}
	}
}

// merge adds the records of o: of the same family in another part of the run, or of another
// family that is counted with this one.
func (f *family) merge(o *family) {
	f.first = min(f.first, o.first)
	f.errors.merge(&o.errors)
	if o.bands && !f.bands {
		f.coarsen()
	}
	for _, r := range o.rows {
		var to *row
		switch {
		case r.listed:
			to = f.rowOf(*r.lengths, true)
		case r.lengths != nil:
			to = f.unlisted(*r.lengths)
		default:
			to = f.word(r.label)
		}
		to.cell.merge(&r.cell)
	}
}

// doubling returns the band of a length of 0 or more, of those that double.
func doubling(n int) verbatim.Lengths {
	if n <= 2 {
		return verbatim.Lengths{Min: n, Max: n}
	}
	half := 1 << (bits.Len(uint(n-1)) - 1)
	if half > math.MaxInt/2 {
		return verbatim.Lengths{Min: half + 1, Max: math.MaxInt}
	}
	return verbatim.Lengths{Min: half + 1, Max: 2 * half}
}

// finish returns the lines and the total of the family, and the cell of the total. complete
// says that all planned requests have a record, so that the plan has as many as are recorded.
func (f *family) finish(complete bool) (Family, *cell) {
	slices.SortStableFunc(f.rows, func(a, b *row) int { return CompareLengths(a.label, a.lengths, b.label, b.lengths) })
	out := Family{Name: f.name}
	all := new(cell)
	for _, r := range f.rows {
		r.cell.items.Join() // of the parts of the run
		all.merge(&r.cell)
		line := r.cell.finish(plannedOf(r.planned, &r.cell, complete))
		line.Family, line.Length, line.Lengths = f.name, r.label, r.lengths
		out.Lines = append(out.Lines, line)
	}
	out.Total = all.finish(plannedOf(f.planned, all, complete))
	out.Total.Family = f.name
	out.ModelScore, out.FirstErrors = modelScore(out.Lines), f.errors.finish()
	return out, all
}

// plannedOf returns the number of planned requests, which is at least the number of records. If
// the plan does not say it, it is the number of records if all are complete, otherwise nil.
func plannedOf(planned *int64, c *cell, complete bool) *int64 {
	recorded, _ := c.recorded()
	if planned == nil && !complete {
		return nil
	}
	if planned == nil || *planned < recorded {
		return &recorded
	}
	return planned
}

// byName holds a value for each name. Names come from servers and files, which may give every
// record another one. So a limited number of names have a value of their own: the first ones of
// the alphabet, which do not depend on the order of the records. The others share rest. The
// zero value is ready.
type byName[V any, P merger[V]] struct {
	values map[string]P
	last   string // the last name of values, once there are as many as the limit
	rest   P      // nil: no names share it
}

// A merger adds another value to its own.
type merger[V any] interface {
	*V
	merge(*V)
}

// of returns the value of a name, of which at most limit have one of their own.
func (b *byName[V, P]) of(name string, limit int) P {
	if value := b.values[name]; value != nil {
		return value
	}
	if len(b.values) == limit {
		if name > b.last {
			return b.shared()
		}
		b.shared().merge(b.values[b.last])
		delete(b.values, b.last)
	}
	if b.values == nil {
		b.values = make(map[string]P)
	}
	value := P(new(V))
	b.values[strings.Clone(name)] = value // the memory of the record is not retained
	if len(b.values) == limit {
		b.last = ""
		for other := range b.values {
			b.last = max(b.last, other)
		}
	}
	return value
}

// shared returns rest.
func (b *byName[V, P]) shared() P {
	if b.rest == nil {
		b.rest = new(V)
	}
	return b.rest
}

// merge adds the values of o.
func (b *byName[V, P]) merge(o *byName[V, P], limit int) {
	for name, value := range o.values {
		b.of(name, limit).merge(value)
	}
	if o.rest != nil {
		b.shared().merge(o.rest)
	}
}

// byLength adds the families up, line by line. It returns nil unless there are several families,
// all with the same lengths: sums over other families at each length would show the families, and
// not the effect of the length. The rows of the families must be in order; see family.finish.
func byLength(families []*family, complete bool) []Line {
	if len(families) < 2 || len(families[0].rows) < 2 {
		return nil
	}
	first := families[0].rows
	for _, f := range families[1:] {
		if !slices.EqualFunc(first, f.rows, sameLengths) {
			return nil
		}
	}
	var lines []Line
	for i, r := range first {
		all, planned := new(cell), new(int64)
		for _, f := range families {
			all.merge(&f.rows[i].cell)
			if p := f.rows[i].planned; p == nil || planned == nil {
				planned = nil
			} else {
				*planned += *p
			}
		}
		line := all.finish(plannedOf(planned, all, complete))
		line.Length, line.Lengths = r.label, r.lengths
		lines = append(lines, line)
	}
	return lines
}

func sameLengths(a, b *row) bool {
	if a.lengths == nil || b.lengths == nil {
		return a.lengths == b.lengths && a.label == b.label
	}
	return *a.lengths == *b.lengths
}
