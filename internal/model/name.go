package model

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/wire"
)

// A NameError says that a name is at fault, and what to type instead.
type NameError struct {
	Name   string // without secrets
	Reason string
	Advice string
}

// Error says which name and why.
func (e *NameError) Error() string { return fmt.Sprintf("model %q: %s", e.Name, e.Reason) }

// Hint says what to do about it.
func (e *NameError) Hint() string { return e.Advice }

// Misuse reports that the caller is at fault and not the world.
func (e *NameError) Misuse() bool { return true }

// forms are the ways to name a model, for hints.
const forms = "name it as provider:model, http://host:port/v1#model, exec:command, nano, sim:careful, or by its name in verbatim.toml"

// unknownName explains a name that is none, with the nearest that is.
func unknownName(name string, o Options) error {
	e := &NameError{Name: showName(name), Reason: "there is no model of this name", Advice: forms}
	if name == "" {
		e.Reason = "the name is empty"
		return e
	}
	scheme, rest, found := strings.Cut(name, ":")
	isPort := found && rest != "" && rest[0] >= '0' && rest[0] <= '9'
	if isPort || strings.ContainsAny(scheme, "./") {
		e.Advice = "an address starts with http://: try http://" + showName(name)
		return e
	}
	if p, ok := findProvider(scheme); ok && !found {
		e.Reason = "this names a provider and no model"
		e.Advice = "write " + p.Name + ":MODEL"
		return e
	}
	if !found {
		var own []string
		for _, m := range o.Config.Models() {
			own = append(own, m.Name)
		}
		if near := nearest(name, own); near != "" {
			e.Advice = fmt.Sprintf("did you mean %s, of %s?", near, o.Config.File)
			return e
		}
		if near := nearest(strings.ToLower(name), []string{NanoName}); near != "" {
			e.Advice = fmt.Sprintf("did you mean %s, the model inside this program? Otherwise %s", near, forms)
			return e
		}
	}
	known := []string{"http", "https", "exec", "sim"}
	for _, p := range Providers() {
		known = append(known, p.Name)
	}
	for _, p := range protocols() {
		known = append(known, p.name+"+http", p.name+"+https")
	}
	if near := nearest(strings.ToLower(scheme), known); near != "" {
		e.Advice = fmt.Sprintf("did you mean %s:%s? Otherwise %s", near, wire.Clean(rest, 80), forms)
	}
	return e
}

// showName returns a name as it may be shown: an address without its user,
// password and query, and on one line.
func showName(name string) string {
	if scheme, rest, found := strings.Cut(name, "://"); found {
		address, model, named := strings.Cut(rest, "#")
		address, _, _ = strings.Cut(address, "?")
		host, path, _ := strings.Cut(address, "/")
		host = host[strings.LastIndex(host, "@")+1:]
		name = scheme + "://" + strings.TrimSuffix(host+"/"+path, "/")
		if named {
			name += "#" + model
		}
	}
	return wire.Clean(name, 200)
}

// nearest returns the known word that is the fewest edits away, "" when none is
// near.
func nearest(word string, known []string) string {
	best, distance := "", len(word)/2+1
	for _, k := range known {
		if d := edits(word, k); d < distance {
			best, distance = k, d
		}
	}
	return best
}

// edits counts the insertions, deletions and substitutions between two short words.
func edits(a, b string) int {
	if len(a) > 40 {
		return len(a)
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			cost := 1
			if a[i] == b[j] {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(diagonal+cost, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}

// list writes names for people, at most twenty of them.
func list(names []string) string {
	names = slices.Clone(names)
	for i := range names {
		names[i] = wire.Clean(names[i], 80)
	}
	if more := len(names) - 20; more > 0 {
		names = append(names[:20], fmt.Sprintf("and %d more", more))
	}
	return strings.Join(names, ", ")
}

// number gives the attempts of a try, those of its failure too, the number that the
// request has.
func number(attempts []verbatim.Attempt, err error, n int) {
	for i := range attempts {
		attempts[i].N = n
	}
	var f *verbatim.Failure
	if errors.As(err, &f) {
		for i := range f.Attempts {
			f.Attempts[i].N = n
		}
	}
}
