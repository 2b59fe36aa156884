// Package lazyregexp has regular expressions that are compiled when they are first used. A command
// uses few of those in the program. To compile all of them takes a sixth of its start.
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

// New returns the regular expression of the text. A wrong text panics at the first use, or at once in
// a test program.
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

// ReplaceAllString returns s with each match replaced by the text. In it, $1 is the first group.
func (r *Regexp) ReplaceAllString(s, text string) string {
	return r.compiled().ReplaceAllString(s, text)
}

// ReplaceAllStringFunc returns s with each match replaced by the result of text for it.
func (r *Regexp) ReplaceAllStringFunc(s string, text func(string) string) string {
	return r.compiled().ReplaceAllStringFunc(s, text)
}

// FindAllStringIndex returns the start and the end of the first n matches in s, or of all if n is
// negative.
func (r *Regexp) FindAllStringIndex(s string, n int) [][]int {
	return r.compiled().FindAllStringIndex(s, n)
}

// String returns the text of the regular expression.
func (r *Regexp) String() string { return r.compiled().String() }
