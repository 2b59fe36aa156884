package command

import (
	"errors"
	"strings"
)

// Split splits a command line as a shell does, without a shell: at white space,
// but not within quotes. Single quotes keep everything. A backslash takes away
// the meaning of a quote, a backslash or a space that follows it, outside single
// quotes, and is itself before anything else, so that paths of Windows can be
// written as they are. Nothing is expanded.
func Split(line string) ([]string, error) {
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
