package recordview

import (
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/pylit"
	"verbatim/internal/terminal"
)

const (
	maxItems    = 20_000 // length up to which lists are aligned
	aroundItems = 2      // equal items that are shown on each side of a difference
	maxItemText = 400    // bytes that are shown of an item
)

// listDifference compares a reply with an expected list, item by item. It returns nil if the texts
// must be compared instead: no list can be read from the reply, or its items are right and only
// the text around them is not.
func listDifference(want []any, reply string) *Difference {
	d := &Difference{Unit: "items"}
	if i := strings.LastIndex(reply, "</think>"); i >= 0 {
		reply = reply[i+len("</think>"):]
		d.Notes = append(d.Notes, "compared after the last </think>")
	}
	got, ok := d.read(reply)
	if !ok || len(want) > maxItems || len(got) > maxItems {
		return nil
	}
	a, b := printed(want), printed(got)
	steps, ok := editScript(a, b)
	if !ok || len(steps) == 0 || len(steps) == 1 && steps[0].op == same {
		return nil
	}
	d.Aligned = true
	r := itemRows{d: d, want: a, reply: b, expected: positions(a), given: positions(b)}
	r.add(steps)
	return d
}

// read reads the reply as a list, or its part from the first [ to the last ]. The grader has more
// rules.
func (d *Difference) read(reply string) (list []any, ok bool) {
	const limit = 1 << 20 // bytes; longer replies are compared as texts
	if len(reply) > limit {
		return nil, false
	}
	if list, ok := literal(reply); ok {
		return list, true
	}
	first, last := strings.Index(reply, "["), strings.LastIndex(reply, "]")
	if first < 0 || last < first {
		return nil, false
	}
	if list, ok = literal(reply[first : last+1]); ok {
		d.Notes = append(d.Notes, "compared from the first [ to the last ]")
	}
	return list, ok
}

// literal reads a text as a Python list.
func literal(text string) (list []any, ok bool) {
	v, err := pylit.Parse(text)
	if err != nil {
		return nil, false
	}
	x, ok := v.Any()
	list, isList := x.([]any)
	return list, ok && isList
}

// printed returns the items as Python prints them.
func printed(list []any) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = pylit.Format(x)
	}
	return out
}

// itemRows lays the steps of a script out as rows, and lists the edits.
type itemRows struct {
	d           *Difference
	want, reply []string
	cursor
	expected, given map[string][]int // the positions of each item in want and in reply
}

// positions returns the positions of each item of a list.
func positions(list []string) map[string][]int {
	at := make(map[string][]int)
	for i, item := range list {
		at[item] = append(at[item], i)
	}
	return at
}

// moved reports whether the reply has an item as often as it should: one that is missing at its
// position then is at another.
func (r *itemRows) moved(item string) bool {
	return len(r.given[item]) == len(r.expected[item])
}

// add appends the steps, leaving out what is equal and far from a difference.
func (r *itemRows) add(steps []step) {
	for n, s := range steps {
		if s.op == same {
			r.equal(s.n, n == 0, n == len(steps)-1)
			continue
		}
		for k := range s.n {
			r.row(s.op, k)
		}
		r.advance(s.op, s.n)
	}
}

// equal shows the ends of an equal stretch that are near a difference.
func (r *itemRows) equal(n int, first, last bool) {
	head, tail := shownEnds(n, aroundItems, 1, first, last)
	r.show(head)
	if left := n - head - tail; left > 0 {
		r.put(itemRow{op: leftOut, wantAt: -1, replyAt: -1, note: number.Count(int64(left)) + " equal"})
		r.advance(same, left)
	}
	r.show(tail)
}

// show shows n equal items.
func (r *itemRows) show(n int) {
	for k := range n {
		r.row(same, k)
	}
	r.advance(same, n)
}

// row shows the k-th item of a step.
func (r *itemRows) row(o op, k int) {
	row := itemRow{op: o, wantAt: -1, replyAt: -1}
	if o != extra {
		row.wantAt, row.want = r.i+k, r.want[r.i+k]
	}
	if o != missed {
		row.replyAt, row.reply = r.j+k, r.reply[r.j+k]
	}
	if o != same {
		row.note = r.note(row)
		row.moved = row.op == missed && r.moved(row.want) || row.op == extra && r.moved(row.reply)
		r.edit(row)
	}
	row.want, row.reply = firstPart(row.want, maxItemText), firstPart(row.reply, maxItemText)
	r.put(row)
}

// note says where the items of a row are instead, or why one is too much.
func (r *itemRows) note(row itemRow) string {
	var parts []string
	if row.wantAt >= 0 && r.moved(row.want) {
		parts = append(parts, "given at "+firstPositions(r.given[row.want]))
	}
	if row.replyAt >= 0 {
		switch {
		case r.moved(row.reply):
			parts = append(parts, "expected at "+firstPositions(r.expected[row.reply]))
		case len(r.expected[row.reply]) == 0 && row.op == extra:
			parts = append(parts, "not in the list")
		case len(r.expected[row.reply]) > 0 && len(r.given[row.reply]) > len(r.expected[row.reply]):
			parts = append(parts, "too often")
		}
	}
	return strings.Join(parts, ", ")
}

// firstPositions prints the first three positions.
func firstPositions(at []int) string {
	parts := make([]string, 0, 4)
	for i, n := range at {
		if i == 3 {
			parts = append(parts, "…")
			break
		}
		parts = append(parts, number.Count(int64(n)))
	}
	return strings.Join(parts, " and ")
}

// edit lists a row among the edits.
func (r *itemRows) edit(row itemRow) {
	e := Edit{
		Op: row.name(), WantAt: row.wantAt, ReplyAt: row.replyAt, N: 1,
		Want: terminal.Visible(firstPart(row.want, maxItemText)), Reply: terminal.Visible(firstPart(row.reply, maxItemText)),
	}
	if len(r.d.Edits) == 0 {
		r.d.At = r.i
	}
	r.d.Edits = append(r.d.Edits, e)
}

// put appends a row, up to a number.
func (r *itemRows) put(row itemRow) {
	const limit = 400
	switch {
	case len(r.d.items) < limit:
		r.d.items = append(r.d.items, row)
	case len(r.d.items) == limit:
		r.d.items = append(r.d.items, itemRow{op: leftOut, wantAt: -1, replyAt: -1, note: "and more"})
	}
}
