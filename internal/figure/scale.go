package figure

import (
	"math"
	"strconv"
	"strings"
)

// A scale maps values of an axis to positions on a sheet.
type scale struct {
	low, high float64 // the ends of the axis, as logarithms if it is logarithmic
	log       bool
	from, to  float64 // their positions on the sheet
}

// at returns the position of a value. It is NaN if a logarithmic axis has no position for it.
func (s scale) at(v float64) float64 {
	if s.log {
		v = logarithm(v)
	}
	return s.from + (v-s.low)/(s.high-s.low)*(s.to-s.from)
}

// logarithm returns the binary logarithm; NaN unless v is positive.
func logarithm(v float64) float64 {
	if v <= 0 {
		return math.NaN()
	}
	return math.Log2(v)
}

// A span is the range of the included values.
type span struct{ low, high float64 }

// nothing returns the span of no values.
func nothing() span { return span{math.Inf(1), math.Inf(-1)} }

// include widens the span by values, without NaN, and for a logarithmic axis without values up to 0.
func (s *span) include(log bool, values ...float64) {
	for _, v := range values {
		if math.IsNaN(v) || log && v <= 0 {
			continue
		}
		s.low, s.high = min(s.low, v), max(s.high, v)
	}
}

// scaleOf returns the scale of an axis. If the axis has no ends, they are chosen around the span of
// the data: at round values, or with tight at the data.
func scaleOf(a Axis, data span, tight bool) scale {
	s := scale{low: a.Min, high: a.Max, log: a.Log2}
	if a.Min < a.Max {
		if a.Log2 {
			s.low, s.high = math.Log2(a.Min), math.Log2(a.Max)
		}
		return s
	}
	if data.low > data.high {
		data = span{0, 1}
		if a.Log2 {
			data = span{1, 2}
		}
	}
	s.low, s.high = data.low, data.high
	if a.Log2 {
		s.low, s.high = math.Log2(data.low), math.Log2(data.high)
	}
	switch {
	case s.high-s.low <= least(s.low, s.high):
		wide := 0.5
		if !a.Log2 && math.Abs(s.high) > 1e-9 {
			wide = math.Abs(s.high) / 2
		}
		s.low, s.high = s.low-wide, s.high+wide
	case !tight && !a.Log2:
		step := nice((s.high - s.low) / 8)
		s.low, s.high = math.Floor(s.low/step)*step, math.Ceil(s.high/step)*step
	case !tight:
		more := (s.high - s.low) * 0.05
		s.low, s.high = s.low-more, s.high+more
	}
	return s
}

// nice returns the smallest step of at least v that is 1, 2 or 5 times a power of ten.
func nice(v float64) float64 {
	if v <= 0 || math.IsInf(v, 0) || math.IsNaN(v) {
		return 1
	}
	power := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range []float64{1, 2, 5} {
		if m*power >= v*(1-1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// ticksOf returns the ticks of an axis that has a length on the sheet. size returns the room that a
// label takes on the axis.
func ticksOf(a Axis, s scale, length float64, size func(label string) float64) []Tick {
	list := a.Ticks
	if list == nil {
		list = s.chosen(length)
	}
	var inside []Tick
	slack := (s.high - s.low) * 1e-9
	for _, t := range list {
		v := t.At
		if s.log {
			v = logarithm(v)
		}
		if v >= s.low-slack && v <= s.high+slack {
			inside = append(inside, t)
		}
	}
	return thinned(inside, s, length, size)
}

// chosen returns ticks at round values, for an axis without ticks.
func (s scale) chosen(length float64) []Tick {
	var list []Tick
	switch {
	case s.log:
		step := max(1, math.Ceil((s.high-s.low)/24))
		for e := math.Ceil(s.low - 1e-9); e <= s.high+1e-9 && len(list) < 64; e += step {
			list = append(list, Tick{At: math.Exp2(e), Label: tickText(math.Exp2(e), 0)})
		}
	case s.low == 0 && s.high == 1:
		list = []Tick{{At: 0, Label: "0"}, {At: 0.25, Label: ".25"}, {At: 0.5, Label: ".50"}, {At: 0.75, Label: ".75"}, {At: 1, Label: "1"}}
		if length < 42 {
			list = []Tick{{At: 0, Label: "0"}, {At: 0.5, Label: ".50"}, {At: 1, Label: "1"}}
		}
	default:
		step := nice((s.high - s.low) / min(max(length/24, 2), 6))
		for i := math.Ceil(s.low/step - 1e-9); i*step <= s.high+step*1e-9 && len(list) < 64; i++ {
			list = append(list, Tick{At: i * step, Label: tickText(i*step, step)})
		}
	}
	return list
}

// thinned leaves out ticks whose labels would touch. Of ticks at even steps it leaves out every second
// one until none touch; otherwise see spaced.
func thinned(list []Tick, s scale, length float64, size func(string) float64) []Tick {
	s.from, s.to = 0, length
	touch := func(a, b Tick) bool {
		return math.Abs(s.at(b.At)-s.at(a.At)) < (size(a.Label)+size(b.Label))/2+2
	}
	if !s.even(list) {
		return spaced(list, touch)
	}
	for crowdedBy(list, touch) {
		var half []Tick
		for i := 0; i < len(list); i += 2 {
			half = append(half, list[i])
		}
		list = half
	}
	return list
}

// crowdedBy reports whether two neighbours touch.
func crowdedBy(list []Tick, touch func(a, b Tick) bool) bool {
	for i := 1; i < len(list); i++ {
		if touch(list[i-1], list[i]) {
			return true
		}
	}
	return false
}

// spaced returns the first and the last tick, and those between them that touch neither the last
// one nor another returned tick.
func spaced(list []Tick, touch func(a, b Tick) bool) []Tick {
	if len(list) < 2 {
		return list
	}
	spaced, last := list[:1:1], list[len(list)-1]
	for _, t := range list[1 : len(list)-1] {
		if !touch(spaced[len(spaced)-1], t) && !touch(t, last) {
			spaced = append(spaced, t)
		}
	}
	if touch(spaced[0], last) {
		return spaced
	}
	return append(spaced, last)
}

// even reports whether ticks are at even steps.
func (s scale) even(list []Tick) bool {
	for i := 2; i < len(list); i++ {
		step, before := s.at(list[i].At)-s.at(list[i-1].At), s.at(list[i-1].At)-s.at(list[i-2].At)
		if math.Abs(step-before) > 0.5 {
			return false
		}
	}
	return true
}

// tickText prints a value with the decimals that a step needs, or without a step with as many as it has.
func tickText(v, step float64) string {
	decimals := -1
	if step > 0 {
		decimals = min(max(0, int(math.Ceil(-math.Log10(step)-1e-9))), 12)
	}
	if v == 0 {
		return "0"
	}
	if math.Abs(v) >= 1e9 || math.Abs(v) < 1e-6 {
		return strings.Replace(strconv.FormatFloat(v, 'g', 3, 64), "-", "−", 1)
	}
	text := strconv.FormatFloat(math.Abs(v), 'f', decimals, 64)
	whole, rest, _ := strings.Cut(text, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if rest != "" {
		whole += "." + rest
	}
	if v < 0 {
		whole = "−" + whole
	}
	return whole
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// least returns the smallest difference that the ends of an axis may have.
func least(low, high float64) float64 { return 1e-9 * max(math.Abs(low), math.Abs(high), 1e-90) }

// labels is the layout of the names of categories below a panel. They are on several lines if they
// fit, otherwise turned.
type labels struct {
	lines  [][]string // of each name; nil if the names are turned
	turned []string   // the names, cut to fit; nil if they are not turned
	every  int        // only each every-th name is written
	height float64
}

// maxTurned is the largest width of a turned name.
const maxTurned = 78.0

// tickLabels returns the name of each category of the X axis. Boxes of one series have the sizes of
// their samples below.
func (p *plot) tickLabels() []string {
	names := make([]string, p.categories())
	for _, t := range p.X.Ticks {
		if i := int(t.At); i >= 0 && i < len(names) && float64(i) == t.At {
			names[i] = t.Label
		}
	}
	if p.kind() == boxes && len(namesIn(*p.Panel)) <= 1 {
		return p.sizes(names)
	}
	return names
}

// sizes adds the sizes of the samples of boxes to the names, on a line of their own.
func (p *plot) sizes(names []string) []string {
	for _, b := range p.Boxes {
		if i := int(b.At); b.N > 0 && i >= 0 && i < len(names) && float64(i) == b.At {
			names[i] += "\n(n = " + tickText(float64(b.N), 1) + ")"
		}
	}
	return names
}

// labels lays out the names of the categories of a panel of a width.
func (p *plot) labels(wide float64) labels {
	names := p.tickLabels()
	if p.kind() == heat {
		names = p.Heat.Columns
	}
	slot := wide / float64(len(names))
	out := labels{every: 1}
	fits := true
	for _, n := range names {
		lines, ok := foldedAt(n, slot-3)
		fits = fits && ok
		out.lines = append(out.lines, lines)
		out.height = max(out.height, float64(len(lines))*tickSize*leading)
	}
	if fits {
		return out
	}
	if short := thinnable(names, slot); short > 0 {
		out.lines, out.every, out.height = nil, short, tickSize*leading
		for _, n := range names {
			out.lines = append(out.lines, []string{n})
		}
		return out
	}
	out = labels{every: max(1, int(math.Ceil(tickSize*leading/math.Sqrt2*1.5/slot)))}
	for i, n := range names {
		room := (p.reach + slot*(float64(i)+0.5) - 2) * math.Sqrt2
		name := fitted(strings.ReplaceAll(n, "\n", " "), tickSize, max(min(maxTurned, room), 12))
		out.turned = append(out.turned, name)
		if i%out.every == 0 {
			out.height = max(out.height, (widthOf(name, tickSize)+tickSize)/math.Sqrt2+2)
		}
	}
	return out
}

// foldedAt breaks a name into lines: at its line ends, and where a part is too wide. ok is false if
// it does not fit.
func foldedAt(name string, room float64) (out []string, ok bool) {
	ok = true
	for part := range strings.SplitSeq(name, "\n") {
		lines, fits := lettering{size: tickSize}.folded(part, room, 3)
		out, ok = append(out, lines...), ok && fits
	}
	return out, ok && len(out) <= 4
}

// thinnable returns the number of categories for each one that is labelled, so that the labels do
// not touch. It is 0 if a name is too long to be left out: names that are not numbers are not known
// from their neighbours.
func thinnable(names []string, slot float64) int {
	wide := 0.0
	for _, n := range names {
		wide = max(wide, widthOf(n, tickSize)+3)
	}
	if wide > 28 {
		return 0
	}
	return max(1, int(math.Ceil(wide/slot)))
}

// categoryLabels writes the names below the panel.
func (p *plot) categoryLabels(s *sheet, names []string) {
	if !p.bottom || len(names) == 0 {
		return
	}
	l := p.labels(p.area.w)
	slot := p.area.w / float64(len(names))
	y := p.area.bottom() + tickGap
	for i := range names {
		if i%l.every != 0 {
			continue
		}
		x := p.area.x + slot*(float64(i)+0.5)
		if l.turned != nil {
			s.add(words{at: point{x + tickSize*0.3, y + tickSize*0.6}, text: l.turned[i], size: tickSize, color: grey, anchor: end, turned: 45})
			continue
		}
		for k, line := range l.lines[i] {
			x := p.inRoom(x, widthOf(line, tickSize)/2)
			s.add(words{at: point{x, y + tickSize*(ascent+float64(k)*leading)}, text: line, size: tickSize, color: grey, anchor: middle})
		}
	}
}

// inRoom returns the position nearest to x for a text that extends by half to both sides, so that it
// neither leaves the sheet nor is below the next panel.
func (p *plot) inRoom(x, half float64) float64 { return min(max(x, p.from+half), p.to-half) }
