// Package lazyregexp holds regular expressions that are compiled when they are first used. A command
// uses few of the program's. To compile them all is a sixth of the time in which it starts.
package lazyregexp

import (
	"os"
	"regexp"
	"strings"
	"sync"
)

// A Regexp is a regular expression in the syntax of the package regexp. Its methods are those of
// regexp.Regexp, and are safe for concurrent use.
type Regexp struct{ compiled func() *regexp.Regexp }

// New returns the regular expression of the text. A text with a fault panics when it is first used,
// and at once in a program of tests.
func New(text string) *Regexp {
	r := &Regexp{sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(text) })}
	if len(os.Args) > 0 && strings.HasSuffix(strings.TrimSuffix(os.Args[0], ".exe"), ".test") {
		r.compiled()
	}
	return r
}

// MatchString reports whether s has a match.
func (r *Regexp) MatchString(s string) bool { return r.compiled().MatchString(s) }

// FindString returns the leftmost match in s, or "".
func (r *Regexp) FindString(s string) string { return r.compiled().FindString(s) }

// FindStringSubmatch returns the leftmost match in s and its groups, or nil.
func (r *Regexp) FindStringSubmatch(s string) []string { return r.compiled().FindStringSubmatch(s) }

// FindAllString returns the first n matches in s, or all of them if n is negative.
func (r *Regexp) FindAllString(s string, n int) []string { return r.compiled().FindAllString(s, n) }

// ReplaceAllString returns s with each match replaced by the text, in which $1 is a group.
func (r *Regexp) ReplaceAllString(s, text string) string {
	return r.compiled().ReplaceAllString(s, text)
}

// ReplaceAllStringFunc returns s with each match replaced by what the function returns for it.
func (r *Regexp) ReplaceAllStringFunc(s string, text func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, text)
}

// FindAllStringIndex returns where the first n matches in s begin and end, or all of them if n is negative.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

// String returns the text of the regular expression.
func (r *Regexp) String() string { return r.compiled().String() }
