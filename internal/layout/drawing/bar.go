package drawing

import (
	"strings"

	"verbatim/internal/report"
)

// Bar draws a rate from 0 to 1 on a scale of width characters: full up to the
// lower end of the interval, dense up to the share itself, light up to the
// higher end. So a bar that fades out slowly is one of few answers.
func Bar(r report.Rate, width int) string {
	if r.Share == nil {
		return ""
	}
	at := func(v float64) int { return int(v*float64(width) + 0.5) }
	low, share, high := at(*r.Low), at(*r.Share), at(*r.High)
	return strings.Repeat("█", low) + strings.Repeat("▓", share-low) + strings.Repeat("░", high-share)
}

// Curve draws the exact shares of lines as one character each, shortest length
// first: ▁ for none to █ for all, a dot where nothing was answered.
func Curve(lines []report.Line) string {
	var b strings.Builder
	for i := range lines {
		b.WriteRune(level(lines[i].Exact))
	}
	return b.String()
}

func level(r report.Rate) rune {
	if r.Share == nil {
		return '·'
	}
	steps := []rune("▁▂▃▄▅▆▇█")
	if *r.Share == 1 {
		return '█'
	}
	// Seven levels for what is not all: a full block means all.
	return steps[int(*r.Share*7)]
}
