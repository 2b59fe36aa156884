package layout

import (
	"strings"

	"verbatim/internal/report"
)

// bar draws a rate from 0 to 1 on a scale of width characters: █ up to the lower end of the
// interval, ▓ up to the share, ░ up to the higher end. Few answers have a long light part. It is
// empty without a share.
func bar(r report.Rate, width int) string {
	if r.Share == nil {
		return ""
	}
	at := func(v float64) int { return int(v*float64(width) + 0.5) }
	low, share, high := at(*r.Low), at(*r.Share), at(*r.High)
	return strings.Repeat("█", low) + strings.Repeat("▓", share-low) + strings.Repeat("░", high-share)
}

// curve draws the exact share of each line as one character: ▁ for 0 to █ for 1, a dot without an
// answer.
func curve(lines []report.Line) string {
	var b strings.Builder
	for i := range lines {
		if share := lines[i].Exact.Share; share != nil {
			b.WriteRune(level(*share))
		} else {
			b.WriteRune('·')
		}
	}
	return b.String()
}

// Probabilities draws each probability as one character: ▁ to █, a dot if it is nearly 0.
func Probabilities(list []float64) string {
	var b strings.Builder
	for _, p := range list {
		switch {
		case p < 0.005:
			b.WriteRune('·')
		case p >= 0.995:
			b.WriteRune(level(1))
		default:
			b.WriteRune(level(p))
		}
	}
	return b.String()
}

// level returns a block whose height is a share. Only a share of 1 has the full block.
func level(share float64) rune { return []rune("▁▂▃▄▅▆▇█")[int(share*7)] }
