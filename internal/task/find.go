package task

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/input"
)

// A NameError is the error of an unknown name: What is "task" or "suite". Nearest is a known name
// that is close, or "". List is the command that lists the names.
type NameError struct{ What, Name, Nearest, List string }

func (e *NameError) Error() string { return fmt.Sprintf("there is no %s %q", e.What, e.Name) }

// Hint returns the nearest name and the command that lists the names.
func (e *NameError) Hint() string {
	if e.Nearest == "" {
		return e.List + " lists them"
	}
	return fmt.Sprintf("did you mean %q? %s lists them all", e.Nearest, e.List)
}

// misuse reports that it is a usage error.
func (e *NameError) Misuse() bool { return true }

// Find returns the family with a name, which may also be SortBench's or simpE's name. A "-" may stand
// for ":", as on file systems without colons. The error is a *NameError.
func Find(name string) (verbatim.Family, error) {
	var names []string
	for _, f := range families() {
		own := append([]string{f.Name}, f.Aliases...)
		if f.Task != "" {
			own = append(own, f.Task)
		}
		if slices.ContainsFunc(own, func(n string) bool { return sameTask(n, name) }) {
			return f, nil
		}
		names = append(names, own...)
	}
	return verbatim.Family{}, &NameError{"task", name, input.Nearest(strings.ToLower(name), names), "'verbatim tasks'"}
}

// sameTask reports whether two names are equal if ":" is written as "-".
func sameTask(a, b string) bool {
	return strings.ReplaceAll(a, ":", "-") == strings.ReplaceAll(b, ":", "-")
}

// Select returns the families that names and patterns select, in the order of Families, each once. A
// pattern such as "sort-int*" or "Float-*" is matched with a family's own name and with SortBench's.
// The error is a *NameError, or a usage error of the pattern.
func Select(names []string) ([]verbatim.Family, error) {
	list := Families()
	chosen := map[string]bool{}
	for _, name := range names {
		if !strings.ContainsAny(name, "*?[") {
			f, err := Find(name)
			if err != nil {
				return nil, err
			}
			chosen[f.Name] = true
			continue
		}
		found := false
		for _, f := range list {
			ours, err := path.Match(name, f.Name)
			if err != nil {
				return nil, misuse("a pattern is like 'sort-*'", "%q is not a pattern", name)
			}
			if theirs, _ := path.Match(name, f.Task); ours || theirs && f.Task != "" {
				chosen[f.Name], found = true, true
			}
		}
		if !found {
			return nil, &NameError{"task that matches", name, "", "'verbatim tasks'"}
		}
	}
	return slices.DeleteFunc(list, func(f verbatim.Family) bool { return !chosen[f.Name] }), nil
}

// An Error is a request that cannot be met. Its Hint says what to do instead.
type questionError struct {
	err  error
	hint string
}

func (e *questionError) Error() string { return e.err.Error() }

// Unwrap returns the cause, where there is one.
func (e *questionError) Unwrap() error { return errors.Unwrap(e.err) }

// Hint says what to do instead.
func (e *questionError) Hint() string { return e.hint }

// misuse marks the error as the caller's.
func (e *questionError) Misuse() bool { return true }

// misuse returns the error of a request that cannot be met. hint says what to do instead.
func misuse(hint, format string, args ...any) error {
	return &questionError{fmt.Errorf(format, args...), hint}
}

// tooMany returns the error of a list that needs n different items where there are only most. what names
// the items, with args as in fmt.Sprintf.
func tooMany(n, most int, what string, args ...any) error {
	args = append([]any{n}, args...)
	return misuse(fmt.Sprintf("ask for fewer: there are %d", most), "there are not %d "+what, args...)
}
