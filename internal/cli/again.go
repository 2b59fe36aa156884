package cli

import "strings"

// again returns the command line that continues this one.
func (a *asking) again() string {
	words := []string{"verbatim"}
	for _, w := range a.env.Args {
		if w == "--new" || w == "--new=true" {
			continue
		}
		words = append(words, shellWord(w))
	}
	return strings.Join(words, " ")
}

// shellWord quotes a word for a POSIX shell where it needs it.
func shellWord(w string) string {
	plain := func(r rune) bool {
		return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || strings.ContainsRune("-_./:=,@%+", r)
	}
	if w != "" && !strings.ContainsFunc(w, func(r rune) bool { return !plain(r) }) {
		return w
	}
	return "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
}
