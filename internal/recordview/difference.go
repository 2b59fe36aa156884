package recordview

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// A Difference says where and how a reply departs from the expected answer.
type Difference struct {
	// Unit is what positions count: "characters" (code points) or "items".
	Unit string `json:"unit"`
	// Notes say what was compared, where that is not the whole reply.
	Notes []string `json:"notes,omitempty"`
	// At is the position of the first difference, from 0.
	At int `json:"at"`
	// Aligned says that Edits lead from the expected answer to the reply. It is false if they
	// would explain nothing.
	Aligned bool   `json:"aligned"`
	Edits   []Edit `json:"edits"`

	chars       []charPair // of aligned texts
	items       []itemRow  // of aligned lists
	want, reply string     // of texts that are not aligned, from shortly before At on
}

// The Ops of an Edit, a Segment and a Pair.
const (
	opSame    = "same"
	OpMissing = "missing" // from the reply
	OpExtra   = "extra"   // in the reply
	opChanged = "changed" // one in place of another
	OpMoved   = "moved"   // at another position in the other list; see Pair.Note
	opSkipped = "skipped" // not shown: Segment.Want or Pair.Note says how much
)

// An Edit is one difference. Its texts are Visible, and at most 400 characters long.
type Edit struct {
	Op      string `json:"op"`      // OpMissing, OpExtra, opChanged, or OpMoved for items
	WantAt  int    `json:"want_at"` // -1: no position there
	ReplyAt int    `json:"reply_at"`
	N       int    `json:"n"` // characters or items of the longer side
	Want    string `json:"want,omitempty"`
	Reply   string `json:"reply,omitempty"`
}

// A charPair is a character of each of two aligned texts, as symbols.
type charPair struct {
	op          op
	want, reply string
	wantAt      int
	breaks      bool // a line of the text ends here
}

// An itemRow is an item of each of two aligned lists.
type itemRow struct {
	op              op
	want, reply     string // as Python prints the items; empty without one
	wantAt, replyAt int    // -1 without an item
	note            string // such as "given at 7"; of leftOut: what is not shown
	moved           bool   // the item is at another position of the other list
}

// name returns the Op of a row.
func (r itemRow) name() string {
	if r.moved {
		return OpMoved
	}
	return r.op.name()
}

func (o op) name() string {
	switch o {
	case same:
		return opSame
	case missed:
		return OpMissing
	case extra:
		return OpExtra
	case changed:
		return opChanged
	}
	return opSkipped
}

// leftOut is the op of a stretch that is not shown; charPair.want or itemRow.note describes it.
const leftOut op = 0

const (
	maxWindow   = 20_000 // characters from the first difference on that are aligned
	around      = 24     // equal characters that are shown on each side of a difference
	maxRun      = 160    // characters of one difference that are shown
	maxShown    = 1600   // characters of all differences that are shown
	mostlyOther = 0.65   // share of edits above which an alignment explains nothing
)

// lastPart returns the end of s of size bytes, or up to 3 more so that it begins with a whole
// character.
func lastPart(s string, size int) string {
	if len(s) <= size {
		return s
	}
	i := len(s) - size
	for i > 0 && len(s)-i < size+3 && !utf8.RuneStart(s[i]) {
		i--
	}
	return s[i:]
}

// firstPart returns the start of s of size bytes, or up to 3 more so that it ends with a whole
// character.
func firstPart(s string, size int) string {
	if len(s) <= size {
		return s
	}
	for end := size; end < min(size+utf8.UTFMax, len(s)); end++ {
		if utf8.RuneStart(s[end]) {
			return s[:end]
		}
	}
	return s[:size]
}

// points returns the first code points of s, at most limit, or all if limit is -1. Bytes that are
// not UTF-8 are as terminal.DecodeRune returns them.
func points(s string, limit int) []rune {
	var out []rune
	for len(s) > 0 && len(out) != limit {
		r, n := terminal.DecodeRune(s)
		out = append(out, r)
		s = s[n:]
	}
	return out
}

// characters counts code points, and bytes that are not UTF-8.
func characters(s string) int {
	n := 0
	for len(s) > 0 {
		_, size := terminal.DecodeRune(s)
		s, n = s[size:], n+1
	}
	return n
}

// visibleStart returns the first 400 characters as symbols.
func visibleStart(chars []rune) string {
	var b strings.Builder
	for _, r := range chars[:min(len(chars), 400)] {
		b.WriteString(terminal.Symbol(r))
	}
	return b.String()
}

// A Segment is a few characters of two aligned texts, as Visible symbols. Both sides are padded to
// the same number of columns. A side without characters has a dot for each of the other side.
type Segment struct {
	Op          string
	Want, Reply string
	Breaks      bool // it ends a line of the text
}

// Signs are the signs below the characters; spaces if both texts have the same.
func (s Segment) Signs() string {
	sign := map[string]string{OpMissing: "-", OpExtra: "+", opChanged: "^"}[s.Op]
	return strings.Repeat(cmp.Or(sign, " "), terminal.Width(s.Want))
}

// maxSegment is the maximum number of characters of a segment: lines break between segments.
const maxSegment = 8

// Segments returns the aligned texts; nil if lists were aligned, or nothing was.
func (d *Difference) Segments() []Segment {
	var list []Segment
	chars := 0 // of the last segment
	for _, c := range d.chars {
		name := c.op.name()
		n := len(list)
		if n == 0 || list[n-1].Op != name || name == opSkipped || list[n-1].Breaks || chars == maxSegment {
			list, n, chars = append(list, Segment{Op: name}), n+1, 0
		}
		chars++
		p := &list[n-1]
		if name == opSkipped {
			p.Want = c.want
			continue
		}
		w := cellWidth(c)
		p.Want += terminal.PadRight(c.want, w)
		p.Reply += terminal.PadRight(c.reply, w)
		p.Breaks = c.breaks
	}
	return list
}

// A Pair is an item of one aligned list next to an item of the other, both Visible and cut. A position is
// -1 if a list has no item there.
type Pair struct {
	Op              string
	Want, Reply     string
	WantAt, ReplyAt int
	Note            string // such as where a moved item is instead
}

// Pairs returns the aligned lists; nil if texts were aligned, or nothing was.
func (d *Difference) Pairs() []Pair {
	var list []Pair
	for _, r := range d.items {
		want, reply := terminal.Truncate(terminal.Visible(r.want), 120), terminal.Truncate(terminal.Visible(r.reply), 120)
		list = append(list, Pair{r.name(), want, reply, r.wantAt, r.replyAt, r.note})
	}
	return list
}

// Unaligned returns the two texts from shortly before their first difference on, Visible, if they
// have too little in common to be aligned. Otherwise both are empty.
func (d *Difference) Unaligned() (want, reply string) {
	return terminal.Visible(d.want), terminal.Visible(d.reply)
}

// Lines returns a text as lines that are safe to show. Each is Visible; spaces at its end, and line
// feeds at the end of the text, are symbols.
func Lines(text string) []string {
	var b strings.Builder
	visibleParts(text, func(from, to int, show func(string) string) { b.WriteString(show(text[from:to])) })
	return strings.Split(b.String(), "\n")
}

// visibleParts visits the parts of a text in order: the lines, the spaces at their ends, the line
// feeds between them, and those at the end of the text. show makes a part safe to show.
func visibleParts(text string, visit func(from, to int, show func(string) string)) {
	head := strings.TrimRight(text, "\n")
	drawSpaces := func(s string) string { return strings.Repeat("␠", len(s)) }
	lineFeed := func(s string) string { return s }
	part := func(from, to int, show func(string) string) {
		if from < to {
			visit(from, to, show)
		}
	}
	at := 0
	for line := range strings.SplitAfterSeq(head, "\n") {
		content := strings.TrimSuffix(line, "\n")
		inner := strings.TrimRight(content, " ")
		part(at, at+len(inner), terminal.Visible)
		part(at+len(inner), at+len(content), drawSpaces)
		part(at+len(content), at+len(line), lineFeed)
		at += len(line)
	}
	part(at, len(text), terminal.Visible)
}

// A Departure is the token at which a reply departs from the expected answer, with the
// alternatives that the server lists for it.
type Departure struct {
	At           int           `json:"at"` // in bytes of the reply, from 0
	Token        Alternative   `json:"token"`
	Alternatives []Alternative `json:"alternatives"` // in the server's order
}

// An Alternative is a token and its probability.
type Alternative struct {
	Text        string  `json:"text"` // as Visible writes it
	Probability float64 `json:"probability"`
	Right       bool    `json:"right"` // it continues the expected answer
}

// departure returns the token at which a reply departs from the expected answer. It is nil if the
// answer is exact, without log probabilities, and if the reply ends too early: servers list no
// token for the end.
func departure(want verbatim.Answer, g *verbatim.Grade, r *verbatim.Reply) *Departure {
	if len(r.Tokens) == 0 || g == nil || g.Exact {
		return nil
	}
	start, ok := offset(r)
	if !ok {
		return nil
	}
	from := 0
	if g.Span != nil && !g.Extracted && g.Span.Start >= 0 && g.Span.Start <= len(r.Text) {
		from = g.Span.Start
	}
	at, rest := depart(want, r.Text[from:])
	if at += from; at >= len(r.Text) {
		return nil
	}
	for _, t := range r.Tokens {
		if end := start + len(t.Text); end <= at {
			start = end
			continue
		}
		// The token may begin before the departure, with text that is right.
		right := r.Text[max(start, 0):at] + rest
		d := &Departure{At: at, Token: alternative(t, right)}
		for _, other := range t.Top {
			d.Alternatives = append(d.Alternatives, alternative(other, right))
		}
		return d
	}
	return nil
}

// offset returns the byte of the reply's text at which the first token begins; it is negative if
// the tokens include reasoning. ok is false if the tokens do not spell the text.
func offset(r *verbatim.Reply) (start int, ok bool) {
	var b strings.Builder
	for _, t := range r.Tokens {
		b.WriteString(t.Text)
	}
	if i := strings.LastIndex(b.String(), r.Text); i >= 0 {
		return -i, true
	}
	return 0, strings.HasPrefix(r.Text, b.String())
}

// depart returns the number of bytes that a reply has in common with the start of the expected
// answer, and the rest of the expected answer. A list may have either kind of quotation marks.
func depart(want verbatim.Answer, reply string) (at int, rest string) {
	forms := []string{AnswerText(want)}
	if want.IsList() {
		forms = append(forms, strings.ReplaceAll(forms[0], "'", `"`))
	}
	for _, form := range forms {
		n := 0
		for n < len(form) && n < len(reply) && form[n] == reply[n] {
			n++
		}
		if n >= at {
			at, rest = n, form[n:]
		}
	}
	return at, rest
}

// alternative describes a token at a place where right is expected.
func alternative(t verbatim.Token, right string) Alternative {
	// The token may end after the answer, with white space.
	rest, whole := strings.CutPrefix(t.Text, right)
	ends := whole && right != "" && strings.TrimSpace(rest) == ""
	return Alternative{
		Text:        terminal.Visible(t.Text),
		Probability: math.Exp(min(t.Logprob, 0)),
		Right:       t.Text != "" && (strings.HasPrefix(right, t.Text) || ends),
	}
}

// maxAlternatives is the number of tokens that the text shows, the chosen one included.
const maxAlternatives = 5

// showDeparture shows the probabilities of the tokens at the departure.
func showDeparture(d *Departure, s terminal.Style) string {
	lines := []string{s.Paint(terminal.Faint, "at byte "+strconv.Itoa(d.At)+" (from 0), where the reply first differs")}
	line := func(a Alternative, chosen bool) {
		text := terminal.PadLeft(strconv.FormatFloat(100*a.Probability, 'f', 1, 64)+" %", 7) + "  " +
			terminal.PadRight(terminal.Truncate(strconv.Quote(a.Text), 24), 24)
		switch {
		case chosen:
			text += "  chosen"
		case a.Right:
			text += s.Paint(terminal.Good, "  right")
		}
		lines = append(lines, strings.TrimRight(text, " "))
	}
	line(d.Token, true)
	shown := 1
	for _, a := range d.Alternatives {
		if a == d.Token || shown == maxAlternatives {
			continue
		}
		line(a, false)
		shown++
	}
	return hanging(heading("tokens", s), lines)
}

// An alignment lays the steps of a script out as pairs of symbols, and lists the edits.
type alignment struct {
	d           *Difference
	want, reply []rune
	base        int // position of want[0] in the expected text
	replyBase   int // position of reply[0] in the reply, minus base
	cursor
}

// add appends the steps, leaving out what is equal and far from a difference.
func (c *alignment) add(steps []step) {
	c.d.Aligned = true
	for n, s := range steps {
		if s.op == same {
			c.equal(s.n, n == len(steps)-1)
			continue
		}
		c.edit(s)
		shown := min(s.n, maxRun)
		for k := range shown {
			c.pair(s.op, k, s.n > wordLength)
		}
		c.advance(s.op, s.n)
		c.skip(s.n-shown, "more like this")
	}
}

// equal shows the ends of an equal stretch that are near a difference. The first stretch has a
// difference only behind it, the last one only before it.
func (c *alignment) equal(n int, last bool) {
	first := len(c.d.chars) == 0
	head, tail := shownEnds(n, around, around/2, first, last)
	c.show(head)
	left := n - head - tail
	if first {
		c.skip(c.base+left, "equal")
	} else {
		c.skip(left, "equal")
	}
	c.advance(same, left)
	c.show(tail)
}

// show shows n equal characters.
func (c *alignment) show(n int) {
	for k := range n {
		c.pair(same, k, true)
	}
	c.advance(same, n)
}

// wordLength is the length up to which every space of a difference is marked. In a longer one,
// single spaces between words cannot be overlooked.
const wordLength = 8

// pair shows the k-th character of a step; see symbolAt for prose.
func (c *alignment) pair(o op, k int, prose bool) {
	if len(c.d.chars) >= maxShown {
		return
	}
	p := charPair{op: o, want: gapSign, reply: gapSign, wantAt: c.base + c.i}
	if o != extra {
		p.want, p.wantAt = symbolAt(c.want, c.i+k, prose), c.base+c.i+k
		p.breaks = c.want[c.i+k] == '\n'
	}
	if o != missed {
		p.reply = symbolAt(c.reply, c.j+k, prose)
		p.breaks = p.breaks || c.reply[c.j+k] == '\n'
	}
	c.d.chars = append(c.d.chars, p)
}

// gapSign is shown where one text has no character for the other's.
const gapSign = "·"

// symbolAt returns the symbol of a character. A space is shown as one only in prose, between two
// other characters; otherwise as ␠.
func symbolAt(text []rune, i int, prose bool) string {
	if text[i] != ' ' {
		return terminal.Symbol(text[i])
	}
	other := func(i int) bool { return i >= 0 && i < len(text) && text[i] != ' ' && text[i] != '\n' }
	if prose && other(i-1) && other(i+1) {
		return " "
	}
	return "␠"
}

// skip says that n characters are not shown, if there are any.
func (c *alignment) skip(n int, what string) {
	switch {
	case n <= 0:
	case len(c.d.chars) < maxShown:
		c.d.chars = append(c.d.chars, charPair{op: leftOut, want: "…" + number.Count(int64(n)) + " " + what + "…", wantAt: c.base + c.i})
	case len(c.d.chars) == maxShown:
		c.d.chars = append(c.d.chars, charPair{op: leftOut, want: "…and more…", wantAt: c.base + c.i})
	}
}

// edit lists a step among the edits.
func (c *alignment) edit(s step) {
	const limit = 1000
	if len(c.d.Edits) == 0 {
		c.d.At = c.base + c.i
	}
	if len(c.d.Edits) >= limit {
		return
	}
	e := Edit{Op: s.op.name(), WantAt: c.base + c.i, ReplyAt: c.base + c.replyBase + c.j, N: s.n}
	if s.op != extra {
		e.Want = visibleStart(c.want[c.i : c.i+s.n])
	}
	if s.op != missed {
		e.Reply = visibleStart(c.reply[c.j : c.j+s.n])
	}
	c.d.Edits = append(c.d.Edits, e)
}

// An op is a step of an edit script.
type op byte

const (
	same    op = '='
	missed  op = '-' // in the expected sequence only
	extra   op = '+' // in the reply only
	changed op = '~' // one element in place of another
)

// A step takes n elements of both sequences, or of the one that has them.
type step struct {
	op op
	n  int
}

// A cursor is the position of a step in both sequences.
type cursor struct{ i, j int }

// advance moves the cursor behind a step.
func (c *cursor) advance(o op, n int) {
	if o != extra {
		c.i += n
	}
	if o != missed {
		c.j += n
	}
}

// shownEnds returns how many elements are shown of an equal stretch of n: head at its start and
// tail at its end, each next to a difference, or all if at most spare more would be hidden. The
// first and the last stretch have no difference before or behind them.
func shownEnds(n, around, spare int, first, last bool) (head, tail int) {
	head, tail = around, around
	if first {
		head = 0
	}
	if last {
		tail = 0
	}
	if n <= head+tail+spare {
		return 0, n
	}
	return head, tail
}

// maxEdits bounds the work and the memory of editScript, which grow with its square.
const maxEdits = 1000

// editScript returns the shortest edit script from want to got, with a removal and an insertion at
// one position joined to a change; ok is false if it needs more than maxEdits edits. The method is
// the greedy one of Myers 1986 (Algorithmica 1:251–266): O((N+M)·D) time, D² memory.
func editScript[T comparable](want, got []T) (steps []step, ok bool) {
	head := 0
	for head < len(want) && head < len(got) && want[head] == got[head] {
		head++
	}
	tail := 0
	for tail < len(want)-head && tail < len(got)-head && want[len(want)-1-tail] == got[len(got)-1-tail] {
		tail++
	}
	ops, ok := myers(want[head:len(want)-tail], got[head:len(got)-tail])
	if !ok {
		return nil, false
	}
	steps = push(steps, same, head)
	steps = paired(steps, ops)
	return push(steps, same, tail), true
}

// push adds a step, and joins it to the last one if that has the same op.
func push(steps []step, o op, n int) []step {
	switch {
	case n == 0:
		return steps
	case len(steps) > 0 && steps[len(steps)-1].op == o:
		steps[len(steps)-1].n += n
		return steps
	}
	return append(steps, step{o, n})
}

// paired adds single operations as steps. Between two equal stretches, each pair of a missed and an
// extra element is a change; the rest is missed or extra.
func paired(steps []step, ops []op) []step {
	missing, more := 0, 0
	flush := func() {
		both := min(missing, more)
		steps = push(steps, changed, both)
		steps = push(steps, missed, missing-both)
		steps = push(steps, extra, more-both)
		missing, more = 0, 0
	}
	for _, o := range ops {
		switch o {
		case missed:
			missing++
		case extra:
			more++
		default:
			flush()
			steps = push(steps, same, 1)
		}
	}
	flush()
	return steps
}

// myers returns an operation for each element that is the same, missed or extra.
func myers[T comparable](a, b []T) ([]op, bool) {
	most := min(len(a)+len(b), maxEdits)
	if len(a)-len(b) > most || len(b)-len(a) > most {
		return nil, false
	}
	// reach[most+k] is how far into a the furthest path on diagonal k has come;
	// trace keeps a copy of the part in use for every number of edits.
	reach := make([]int32, 2*most+2)
	var trace [][]int32
	for d := 0; d <= most; d++ {
		trace = append(trace, slices.Clone(reach[most-d:most+d+2]))
		for k := -d; k <= d; k += 2 {
			var x int32
			if k == -d || k != d && reach[most+k-1] < reach[most+k+1] {
				x = reach[most+k+1]
			} else {
				x = reach[most+k-1] + 1
			}
			for y := x - int32(k); int(x) < len(a) && int(y) < len(b) && a[x] == b[y]; y++ {
				x++
			}
			reach[most+k] = x
			if int(x) >= len(a) && int(x)-k >= len(b) {
				return walk(trace, len(a), len(b)), true
			}
		}
	}
	return nil, false
}

// walk goes back through the trace of myers from the end of both sequences.
func walk(trace [][]int32, x, y int) []op {
	var back []op
	for d := len(trace) - 1; d > 0; d-- {
		at := func(k int) int { return int(trace[d][k+d]) } // trace[d] starts at diagonal -d
		k := x - y
		down := k == -d || k != d && at(k-1) < at(k+1)
		before := k - 1
		if down {
			before = k + 1
		}
		fromX := at(before)
		fromY := fromX - before
		startX := fromX
		if !down {
			startX++
		}
		for x > startX {
			back = append(back, same)
			x--
		}
		if down {
			back = append(back, extra)
		} else {
			back = append(back, missed)
		}
		x, y = fromX, fromY
	}
	for ; x > 0; x-- {
		back = append(back, same)
	}
	slices.Reverse(back)
	return back
}

// Line returns a record in one line: its outcome, its label or the class of its failure, and its
// item.
func Line(r *verbatim.Record) string {
	label, detail := "", ""
	switch {
	case r.Failure != nil:
		label = string(r.Failure.Class)
	case r.Grade != nil:
		label, detail = r.Grade.Label, r.Grade.Detail
	}
	line := fmt.Sprintf("%-8s %-18s %s", terminal.Visible(string(r.Outcome)), terminal.Visible(label), terminal.Visible(r.Item.ID))
	if detail != "" {
		line += "  " + terminal.Visible(detail)
	}
	if r.Trial > 0 {
		line += fmt.Sprintf("  trial %d", r.Trial)
	}
	return line
}
