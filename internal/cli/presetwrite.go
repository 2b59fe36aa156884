package cli

import (
	"slices"
	"strings"

	"verbatim/internal/paper"
	"verbatim/internal/report"
)

// writer returns what writes the document as the flags say. What is wrong with the
// flags is found now, before the work.
func (o presetOptions) writer(env *Env) (func(*paper.Document) error, error) {
	layouts := paper.Formats()
	i := slices.IndexFunc(layouts, func(f report.Format[paper.Document]) bool { return f.Name == o.Format })
	if i < 0 {
		var names []string
		for _, f := range layouts {
			names = append(names, f.Name)
		}
		return nil, misused("the formats are "+strings.Join(names, ", "), "there is no format %q", o.Format)
	}
	return func(d *paper.Document) error {
		return env.lay(o.Out, func(w *outFile, s report.Style) error { return layouts[i].Write(w, d, s) })
	}, nil
}
