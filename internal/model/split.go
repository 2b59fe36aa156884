package model

import (
	"errors"
	"strings"
)

// SplitCommand splits a command line into words, similar to a shell: at white space, but not within quotes.
// Single quotes keep everything. Outside single quotes, a quote, a backslash or a space after a
// backslash is an ordinary character. Before anything else a backslash is an ordinary character
// itself, so that paths of Windows need no escapes. Nothing is expanded. The error is a quote that is
// not closed.
func SplitCommand(line string) ([]string, error) {
	var all []string
	var word strings.Builder
	open, quote := false, byte(0) // within a word; within quotes
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case quote == 0 && strings.IndexByte(" \t\r\n", c) >= 0:
			if open {
				all = append(all, word.String())
				word.Reset()
				open = false
			}
		case quote == 0 && (c == '\'' || c == '"'):
			quote, open = c, true
		case quote != 0 && c == quote:
			quote = 0
		case c == '\\' && quote != '\'' && i+1 < len(line) && strings.IndexByte(`"'\ `, line[i+1]) >= 0:
			i++
			word.WriteByte(line[i])
			open = true
		default:
			word.WriteByte(c)
			open = true
		}
	}
	if quote != 0 {
		return nil, errors.New("a quote is not closed")
	}
	if open {
		all = append(all, word.String())
	}
	return all, nil
}
