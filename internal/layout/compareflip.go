package layout

import (
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
)

// A differingItem names the side that failed an item, how, and where to see it.
type differingItem struct{ side, label, command string }

func differingItems(c *verdict.Comparison, s terminal.Style) []differingItem {
	var lines []differingItem
	for _, f := range c.Flips.List {
		side, arm, failed := "B", &c.B, &f.B
		if f.Right == "b" {
			side, arm, failed = "A", &c.A, &f.A
		}
		lines = append(lines, differingItem{side, terminal.Visible(failed.Label), s.ShowCommand(arm.Ref, f.Item)})
	}
	return lines
}

func DifferingTitle(c *verdict.Comparison) string {
	all := c.Flips.OnlyA + c.Flips.OnlyB
	head := number.Count(all) + " items are right in one and not in the other"
	if repeated(c) {
		head = number.Count(all) + " items are right more often in one than in the other"
	}
	if n := int64(len(c.Flips.List)); n < all {
		head += "; the first " + number.Count(n)
	}
	return head
}

// differingText lists items that one side has right and the other has not.
func differingText(b *strings.Builder, c *verdict.Comparison, s terminal.Style) {
	lines := differingItems(c, s)
	if len(lines) == 0 {
		return
	}
	b.WriteString("\n" + s.Paint(terminal.Faint, DifferingTitle(c)) + "\n")
	width := 0
	for _, l := range lines {
		width = max(width, terminal.Width(l.label))
	}
	for _, l := range lines {
		b.WriteString("  " + l.side + " ✗ " + terminal.PadRight(l.label, width) + "  " + s.Paint(terminal.Faint, l.command) + "\n")
	}
}
