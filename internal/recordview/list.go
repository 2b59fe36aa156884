package recordview

import (
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/pylit"
	"verbatim/internal/terminal"
)

const (
	// maxItems is the length up to which lists are aligned.
	maxItems = 20_000
	// aroundItems is how many equal items are shown at each side of a difference.
	aroundItems = 2
	// maxItemText is how much of an item is shown.
	maxItemText = 400
)

// listDifference compares a reply with an expected list, item by item; nil when the
// texts must be compared instead: no list can be read from the reply, or its items
// are right and only what stands around them is not.
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
	r := itemRows{d: d, want: a, reply: b}
	r.places()
	r.add(steps)
	return d
}

// read reads the reply as a list, or the part of it from the first [ to the last
// ], as a person would look for it. The grader tries harder.
func (d *Difference) read(reply string) ([]any, bool) {
	const most = 1 << 20 // bytes; longer replies are compared as texts
	if len(reply) > most {
		return nil, false
	}
	if list, ok := literal(reply); ok {
		return list, true
	}
	first, last := strings.Index(reply, "["), strings.LastIndex(reply, "]")
	if first < 0 || last < first {
		return nil, false
	}
	list, ok := literal(reply[first : last+1])
	if ok {
		d.Notes = append(d.Notes, "compared from the first [ to the last ]")
	}
	return list, ok
}

func literal(text string) ([]any, bool) {
	v, err := pylit.Parse(text)
	if err != nil {
		return nil, false
	}
	x, ok := v.Any()
	list, isList := x.([]any)
	return list, ok && isList
}

func printed(list []any) []string {
	out := make([]string, len(list))
	for i, x := range list {
		out[i] = pylit.Format(x)
	}
	return out
}

// itemRows lays steps out as rows and lists the edits.
type itemRows struct {
	d           *Difference
	want, reply []string
	i, j        int
	spare       map[string][]int // places in the reply of items that are extra somewhere
	expected    map[string][]int // and of expected ones that are missing somewhere
}

// places notes where every item stands, to tell a moved one from a missing one.
func (r *itemRows) places() {
	r.spare, r.expected = make(map[string][]int), make(map[string][]int)
	for i, s := range r.want {
		r.expected[s] = append(r.expected[s], i)
	}
	for j, s := range r.reply {
		r.spare[s] = append(r.spare[s], j)
	}
}

// moved reports whether an item stands as often in the reply as it should.
func (r *itemRows) moved(item string) bool {
	return len(r.spare[item]) == len(r.expected[item])
}

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

func (r *itemRows) advance(o op, n int) {
	if o != extra {
		r.i += n
	}
	if o != missed {
		r.j += n
	}
}

func (r *itemRows) equal(n int, first, last bool) {
	head, tail := aroundItems, aroundItems
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	if n <= head+tail+1 {
		head, tail = 0, n
	}
	r.show(head)
	if left := n - head - tail; left > 0 {
		r.put(itemRow{op: leftOut, wantAt: -1, replyAt: -1, note: number.Count(int64(left)) + " equal"})
		r.advance(same, left)
	}
	r.show(tail)
}

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

// note says of a row whose item is not lost where it stands instead.
func (r *itemRows) note(row itemRow) string {
	var parts []string
	if row.wantAt >= 0 && r.moved(row.want) {
		parts = append(parts, "given at "+places(r.spare[row.want]))
	}
	if row.replyAt >= 0 {
		switch {
		case r.moved(row.reply):
			parts = append(parts, "expected at "+places(r.expected[row.reply]))
		case len(r.expected[row.reply]) == 0 && row.op == extra:
			parts = append(parts, "not in the list")
		case len(r.expected[row.reply]) > 0 && len(r.spare[row.reply]) > len(r.expected[row.reply]):
			parts = append(parts, "too often")
		}
	}
	return strings.Join(parts, ", ")
}

func places(at []int) string {
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

func (r *itemRows) edit(row itemRow) {
	e := Edit{Op: "changed", WantAt: row.wantAt, ReplyAt: row.replyAt, N: 1, Want: terminal.Visible(firstPart(row.want, maxItemText)), Reply: terminal.Visible(firstPart(row.reply, maxItemText))}
	switch {
	case row.moved:
		e.Op = "moved"
	case row.op == missed:
		e.Op = "missing"
	case row.op == extra:
		e.Op = "extra"
	}
	if len(r.d.Edits) == 0 {
		r.d.At = r.i
	}
	r.d.Edits = append(r.d.Edits, e)
}

func (r *itemRows) put(row itemRow) {
	const most = 400
	switch {
	case len(r.d.items) < most:
		r.d.items = append(r.d.items, row)
	case len(r.d.items) == most:
		r.d.items = append(r.d.items, itemRow{op: leftOut, wantAt: -1, replyAt: -1, note: "and more"})
	}
}
