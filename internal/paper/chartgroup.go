package paper

import (
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/terminal"
)

// groups shows the exact share by the last fact of --group-by, a panel for each combination
// of the facts before it. Panels with one value are left out.
func (c *charts) groups() []Figure {
	g := c.report.Groups
	if g == nil || len(g.By) == 0 {
		return nil
	}
	name := "all runs"
	if len(c.Names) == 1 {
		name = c.Names[0]
	}
	last, exact := len(g.By)-1, exactShare()
	var panels []figure.Panel
	title := ""
	for i := range g.Groups {
		keys, point := g.Groups[i].Key, exact.Point(&g.Groups[i].Line)
		fact, value, named := strings.Cut(keys[last], "=") // the key of a knob holds its name
		if !named {
			fact, value = strings.TrimPrefix(g.By[last], "fact:"), keys[last]
		}
		if value == "" || !point.Known() {
			continue
		}
		if of := terminal.Visible(strings.Join(keys[:last], ", ")); len(panels) == 0 || of != title {
			title = of
			panels = append(panels, figure.Panel{Title: of, X: figure.Axis{Label: terminal.Visible(fact)}, Lines: []figure.Line{{Name: name}}})
		}
		p := &panels[len(panels)-1]
		point.X = float64(len(p.X.Ticks))
		p.X.Ticks = append(p.X.Ticks, figure.Tick{At: point.X, Label: terminal.Visible(value)})
		p.Lines[0].Points = append(p.Lines[0].Points, point)
	}
	var several []figure.Panel
	for _, p := range panels {
		if n := len(p.X.Ticks); n > 1 {
			p.X.Min, p.X.Max = 0, float64(n-1)
			several = append(several, p)
		}
	}
	sameHeights(several, exact.Axis)
	list := pages("exact-share-by-group", exact.what+" by "+terminal.Visible(strings.Join(g.By, ", "))+exact.rest, c.overAll(exact), false, several)
	for i := range list {
		list[i].Figure.Names = []string{name}
	}
	return list
}
