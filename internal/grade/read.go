package grade

import (
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/pylit"
)

// A reading is what SortBench's rules read in a reply, with their
// repairs and casts.
type reading struct {
	items  []pylit.Value // after the casts; none if not parsed
	parsed bool
	// repair is what made the text readable; the zero value if none was needed or
	// none helped. It is also there if it read something other than a list.
	repair   repair
	isList   bool   // a list, not a tuple that holds one
	ellipsis bool   // an ellipsis was among the items
	cast     bool   // an item was of another type
	lossy    bool   // a cast changed the value of a number
	comments bool   // the text has comments
	text     string // what was read, before any repair
	trouble  string // why it is not parsed

	counted bool // counts and ranks are set
	counts  counts
	ranks   *ranks // nil if counting did not need them
}

// read reads the reply as SortBench does. With cast, it casts items to the kind.
func (r *listReader) read(reply string, kind pylit.Kind, cast bool) reading {
	r.failed = r.failed[:0]
	s := body(reply)
	reading := reading{text: s}
	v, err := r.parser.Parse(s)
	trouble := pylit.SyntaxError{Reason: "no list"}
	if err != nil {
		trouble = *err
		r.note(s, err)
		v, reading.repair = r.repair(s)
	}
	reading.comments = r.parser.Comments()
	reading.isList = v.Kind() == pylit.List
	if v.Kind() == pylit.Tuple {
		v = r.listOfTuple(s, v, kind)
	}
	if v.Kind() != pylit.List {
		reading.trouble = trouble.Error()
		return reading
	}
	reading.parsed = true
	reading.items = v.Items()
	if !allOf(kind, reading.items) {
		reading.dropEllipses()
		if cast {
			reading.castItems(kind)
		}
	}
	return reading
}

// body removes what SortBench removes before it reads: the reasoning of a
// reply that starts with it, then also the talk before the list and bold type;
// and calls of input(), at which eval would wait.
func body(s string) string {
	if strings.HasPrefix(s, "<think>") {
		if end := strings.Index(s, "</think>"); end >= 0 {
			s = s[end+len("</think>"):]
		} else {
			s = s[len("<think>"):]
		}
		if start := strings.IndexByte(s, '['); start >= 0 {
			s = pylit.Strip(s[start:])
		}
		s = strings.ReplaceAll(s, "**", "")
	}
	if strings.IndexByte(s, '(') >= 0 {
		s = strings.ReplaceAll(s, "input()", "")
	}
	return s
}

// listOfTuple returns the list that SortBench makes of a tuple, by the start and the end of the
// text, or the tuple. If tuples count, any other tuple is a list, too, and one of rows
// is a list if rows are expected.
func (r *listReader) listOfTuple(s string, tuple pylit.Value, kind pylit.Kind) pylit.Value {
	items := tuple.Items()
	rows := len(items) > 0 && items[0].Kind() == pylit.List
	switch {
	case strings.HasPrefix(s, "('"), r.tuples && (!rows || kind == pylit.List):
		return pylit.MakeList(items)
	case len(items) > 0 && (strings.HasPrefix(s, "([") || strings.HasSuffix(s, "],")):
		return items[0]
	}
	return tuple
}

func (l *reading) dropEllipses() {
	n := len(l.items)
	l.items = slices.DeleteFunc(l.items, func(v pylit.Value) bool { return v.Kind() == pylit.Ellipsis })
	l.ellipsis = len(l.items) < n
}

// castItems casts the items of other kinds. If one cannot be cast, nothing was read, not even
// with the repair.
func (l *reading) castItems(kind pylit.Kind) {
	for i, item := range l.items {
		if item.Kind() == kind {
			continue
		}
		l.cast = true
		v, ok := pylit.Cast(item, kind)
		if !ok {
			trouble := "@" + strconv.Itoa(i) + ": " + itemName(item) + " is no " + kind.String()
			*l = reading{cast: true, text: l.text, trouble: trouble}
			return
		}
		l.items[i] = v
		l.lossy = l.lossy || numeric(item.Kind()) && numeric(kind) && !pylit.Equal(v, item)
	}
}

func numeric(k pylit.Kind) bool { return k == pylit.Bool || k == pylit.Int || k == pylit.Float }
