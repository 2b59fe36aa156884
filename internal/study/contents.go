package study

import (
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/figure"
	"verbatim/internal/paper"
	"verbatim/internal/terminal"
)

// Contents lists what Write wrote into the folder, and sums up the differences from the published
// numbers.
func (f Folder) Contents(d *paper.Document) string {
	var extensions []string
	for _, format := range figure.Formats() {
		extensions = append(extensions, format.Extension)
	}
	lines := []string{
		"written to " + terminal.Visible(f.Path) + ":",
		"  index.html        all tables and figures on one page",
		"  tables/           " + filesOf(len(d.Tables), "table", "tex, md, csv"),
		"  figures/          " + filesOf(len(d.Figures), "figure", strings.Join(extensions, ", ")),
		"  paper.json        every number, unrounded",
	}
	if d.Differences != nil {
		lines = slices.Insert(lines, 2, "  differences.html  published numbers that differ from ours, and why")
		lines = append(lines, "", d.Differences.Sentence())
	}
	return strings.Join(lines, "\n")
}

func filesOf(n int, thing, extensions string) string {
	if n != 1 {
		thing += "s"
	}
	return strconv.Itoa(n) + " " + thing + " as " + extensions
}
