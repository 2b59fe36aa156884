package grade

import (
	"fmt"
	"strings"
)

// invisibles are all characters that are blank, by what readers call them.
var invisibles = [...]struct{ name, characters string }{
	{"zero-width joiner", "\u200d"},
	{"zero-width character", "\u200b\u200c\u2060\ufeff\u034f\u180e"},
	{"direction mark", "\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"},
	{"soft hyphen", "\u00ad"},
	{"newline", "\n\r"},
	{"tab", "\t"},
	{"space", " "},
	{"other space", "\v\f\x1c\x1d\x1e\x1f\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"},
}

// invisible counts the blank characters that one of two texts has and the other does not, as in
// "2 zero-width joiner missing, 1 newline added". It is "moved" where the numbers are equal.
func invisible(want, got string) string {
	var parts []string
	for _, kind := range invisibles {
		count := func(s string) (n int) {
			for _, r := range s {
				if strings.ContainsRune(kind.characters, r) {
					n++
				}
			}
			return n
		}
		switch difference := count(got) - count(want); {
		case difference < 0:
			parts = append(parts, fmt.Sprintf("%d %s missing", -difference, kind.name))
		case difference > 0:
			parts = append(parts, fmt.Sprintf("%d %s added", difference, kind.name))
		}
	}
	if len(parts) == 0 {
		return "moved"
	}
	return strings.Join(parts, ", ")
}
