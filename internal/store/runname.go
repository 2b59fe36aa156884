package store

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"verbatim/internal/store/sqlite"
)

// plainName reports whether a run may have a name: up to 100 of the characters that Stem allows.
// A name that begins with a hyphen would be read as a flag. "last" and numbers mean other runs.
func plainName(name string) bool {
	for _, r := range name {
		if !(r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '.' || r == '_' || r == '-') {
			return false
		}
	}
	number := strings.Trim(name, "0123456789") == ""
	return !number && name != "last" && name[0] != '-' && len(name) <= 100
}

// Stem returns the beginning of a run's name, made of the model and the plan. Characters with a
// meaning to shells or file systems become hyphens.
func Stem(model, planHash string) string {
	var b strings.Builder
	for _, r := range model {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '.', r == '_':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	name := b.String()
	if len(name) > 60 {
		name = name[:60]
	}
	name = strings.Trim(name, "-.")
	if name == "" {
		name = "model"
	}
	return fmt.Sprintf("%s-%.6s", name, planHash)
}

// freshName returns the stem with a number above those of all runs with that stem.
func freshName(ctx context.Context, c *sqlite.Conn, model, planHash string) (string, error) {
	stem := Stem(model, planHash) + "-"
	last := 0
	err := c.QueryEach(ctx, func(r *sqlite.Rows) {
		if n, err := strconv.Atoi(strings.TrimPrefix(r.Text(), stem)); err == nil {
			last = max(last, n)
		}
	}, `SELECT name FROM run WHERE substr(name, 1, ?) = ?`, len(stem), stem)
	return stem + strconv.Itoa(last+1), err
}
