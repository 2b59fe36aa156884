package page

import (
	"strings"
	"unicode/utf8"

	"verbatim/internal/report"
	"verbatim/internal/terminal"
)

// Said is text that somebody else wrote, a model, a server or the author of a
// file, made safe to look at: see report.Visible. Templates set it apart from the
// text around it, so that letters which are written from right to left reorder
// nothing else.
type said string

// The longest texts that are shown whole, in characters: names, and sentences
// that hold names.
const (
	longestName     = 120
	longestSentence = 1200
)

// name makes a name safe and short enough for a cell of a table.
func name(s string) said { return said(bounded(s, longestName)) }

// sentence makes a text safe that may quote what others wrote.
func sentence(s string) said { return said(bounded(s, longestSentence)) }

// bounded cuts s to so many characters and says by … that it did, and shows what
// is left as report.Visible does. It reads no more of s than it shows.
func bounded(s string, most int) string {
	end, n := 0, 0
	for end < len(s) && n < most {
		_, size := utf8.DecodeRuneInString(s[end:])
		end += size
		n++
	}
	if end == len(s) {
		return terminal.Visible(s)
	}
	return terminal.Visible(s[:end]) + "…"
}

// names makes several names one text.
func names(counts []report.Count) said {
	const most = 12
	var parts []string
	for i, c := range counts {
		if i == most {
			parts = append(parts, "and "+count(int64(len(counts)-most))+" more")
			break
		}
		parts = append(parts, string(name(c.Name)))
	}
	return said(strings.Join(parts, ", "))
}
