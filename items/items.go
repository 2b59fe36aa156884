// Package items draws, reads and writes the items of verbatim: questions with one right
// answer each. Package verbatim/grade grades the replies to them.
//
// Draw returns the items of a suite or of single tasks. The same Options always give the
// same items, on every machine and in every later version: an item's ID holds the version
// of its task. Read and Write are for files of items, one JSON object a line, in the
// format of docs/format.md.
//
// The package is stable: what it exports keeps its meaning. Errors of the caller are of type
// *Error, with a hint what to do.
package items

import (
	"errors"
	"fmt"
	"io"

	"verbatim"
	"verbatim/internal/grade"
	"verbatim/internal/task"
)

// Options choose the items to draw. The zero value is the suite "quick" with seed 0.
type Options struct {
	Suite   string           // the name of a suite, without Tasks; "" is "quick"
	Tasks   []string         // task names or patterns such as "sort-*", instead of a suite
	Lengths []int            // lengths for Tasks; none: each task's default lengths
	Items   int              // items of each task and length, for Tasks; 0 is 10
	Seed    uint64           // other seeds give other items
	Edition verbatim.Edition // "" is verbatim.Standard
}

// An Error is a mistake of the caller: in the options, or in a file of items.
type Error struct {
	Err  error  // what is wrong
	Hint string // what to do instead
}

func (e *Error) Error() string { return e.Err.Error() }

// Unwrap returns Err.
func (e *Error) Unwrap() error { return e.Err }

// mistake makes an *Error of an error that has a hint, and returns other errors as they are.
func mistake(err error) error {
	hinted, ok := errors.AsType[interface {
		error
		Hint() string
	}](err)
	if !ok {
		return err
	}
	return &Error{err, hinted.Hint()}
}

// Draw returns the items that the options choose, in the order in which a run sends them. The error
// is an *Error.
func Draw(o Options) ([]verbatim.Item, error) {
	request := task.Request{Suite: o.Suite, Tasks: o.Tasks, Items: o.Items, Seed: o.Seed, Edition: o.Edition}
	for _, n := range o.Lengths {
		request.Lengths = append(request.Lengths, verbatim.Lengths{Min: n, Max: n})
	}
	list := []verbatim.Item{}
	for it, err := range task.Draw(request) {
		if err != nil {
			return nil, mistake(err)
		}
		list = append(list, *it)
	}
	return list, nil
}

// A Task is a kind of question that Draw knows.
type Task struct {
	Name           string
	Version        int    // goes up when the same options would give other items
	Description    string // what the model has to do
	Unit           string // what a length counts: "characters", "items" or "digits"
	Min, Max       int    // the bounds of lengths; Max 0 is no bound
	DefaultLengths []int  // the lengths without Options.Lengths
}

// Tasks lists the tasks.
func Tasks() []Task {
	var list []Task
	for _, f := range task.Families() {
		list = append(list, Task{f.Name, f.Version, f.Doc, f.Unit, f.Min, f.Max, f.DefaultLengths})
	}
	return list
}

// Suites lists the names of the suites.
func Suites() []string {
	var names []string
	for _, s := range task.Suites() {
		names = append(names, s.Name)
	}
	return names
}

// Read reads items, one JSON object a line, or in another shape that docs/format.md lists. Paths of images are relative to dir, and must be below
// it. The error names the wrong lines. It is an *Error unless r returns an error.
func Read(r io.Reader, dir string) ([]verbatim.Item, error) {
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, fmt.Errorf("read items: %w", err)
	}
	_, list, err := task.ReadItems("items", data, dir, new(task.Fields), grade.Check)
	return list, mistake(err)
}

// Write writes an item as one line that Read reads.
func Write(w io.Writer, it *verbatim.Item) error { return task.WriteItem(w, it) }
