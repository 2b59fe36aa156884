package figure

// leftOf returns the width of the Y axis of a panel.
func (l *layout) leftOf(p *plot) float64 {
	if !p.yLabels {
		return 0
	}
	w := 0.0
	most := l.sheet.width / float64(l.columns) * 0.42
	switch p.kind() {
	case heat:
		for _, r := range p.Heat.Rows {
			w = max(w, min(widthOf(r, tickSize), most))
		}
	case rows:
		for _, r := range p.Rows {
			w = max(w, min(widthOf(r.Label, tickSize), most))
		}
	default:
		for _, t := range p.yTicks {
			w = max(w, min(widthOf(t.Label, tickSize), most))
		}
	}
	if w > 0 {
		w += tickGap + 1
	}
	if p.Y.Label != "" {
		w += labelSize*leading + 2
	}
	return w
}

// rightOf returns the width that a panel needs to the right of its frame.
func (l *layout) rightOf(p *plot) float64 {
	w := 4.0
	if p.kind() != rows {
		return w
	}
	for _, r := range p.Rows {
		if r.Note != "" {
			w = max(w, min(widthOf(r.Note, tickSize), l.sheet.width/float64(l.columns)*0.4)+6)
		}
	}
	return w
}

// natural returns the default height of a panel of a width.
func (l *layout) natural(p *plot, wide float64) float64 {
	switch p.kind() {
	case heat:
		return float64(len(p.Heat.Rows)) * 11.5
	case rows:
		return float64(len(p.Rows))*13 + 6
	}
	return max(min(wide*0.66, maxPlot), minPlot)
}

// least returns the minimum height of a row, below which its contents overlap.
func (l *layout) least(row int) float64 {
	high := minPlot
	for i := range l.plots {
		p := &l.plots[i]
		if p.row != row {
			continue
		}
		if p.yLabels && (!l.shareY || l.rows == 1) {
			high = max(high, min(widthOf(p.Y.Label, labelSize), 120))
		}
		switch p.kind() {
		case heat:
			high = max(high, float64(len(p.Heat.Rows))*9)
		case rows:
			high = max(high, float64(len(p.Rows))*9)
		}
	}
	return high
}

// reachOf returns the space to the left of a panel for turned names: up to the edge of the
// sheet or the shared label, but not below a panel whose names are not turned.
func (l *layout) reachOf(p *plot) float64 {
	reach := l.leftEdge(p.column) - margin
	if l.shareY && l.rows > 1 && p.Y.Label != "" {
		reach -= labelSize * leading
	}
	for c := p.column - 1; c >= 0; c-- {
		if other := &l.plots[p.row*l.columns+c]; other.bottom && (other.categories() == 0 || other.labels(l.wide).turned == nil) {
			return min(reach, l.leftEdge(p.column)-l.leftEdge(c)-l.wide-l.right)
		}
	}
	return reach
}

// below returns the height of the X axis of a panel.
func (l *layout) below(p *plot) float64 {
	h := 2.0
	if !p.bottom {
		return h
	}
	if p.categories() > 0 {
		h += tickGap + p.labels(l.wide).height
	} else {
		h += tickGap + tickSize*leading
	}
	if p.X.Label != "" && !l.shareX {
		h += labelSize * leading
	}
	return h
}

// titleLines breaks the title, in bold letters, into at most two lines.
func (p *plot) titleLines(room float64) []string {
	lines, _ := lettering{titleSize, true}.folded(p.Title, room, 2)
	return lines
}

// leftEdge returns where the panels of a column begin.
func (l *layout) leftEdge(column int) float64 {
	x := margin + float64(column)*(l.wide+l.right+gap)
	for _, w := range l.left[:column+1] {
		x += w
	}
	return x
}
