package grade

import (
	"verbatim"
)

// A kind is the kind of answer that a grader compares.
type kind int

const (
	texts kind = iota
	lists
	integers
	jsons
)

// graders lists the graders. From the first release on, a version goes up whenever any reply could get
// another grade than before.
var graders = [...]struct {
	name    string
	version string
	kind    kind
}{
	{"text", "text/1", texts},
	{"list", listVersion("list"), lists},
	{"sortbench", listVersion("sortbench"), lists},
	{"sortbench-reference", listVersion("sortbench-reference"), lists},
	{"integer", "integer/1", integers},
	{"integer-reference", "integer-reference/1", integers},
	{"text-raw", "text-raw/1", texts},
	{"json", jsonVersion, jsons},
}

// Names returns the names of the graders.
func Names() []string {
	names := make([]string, len(graders))
	for i, r := range graders {
		names[i] = r.name
	}
	return names
}

// Current returns the name of a grader with its version, such as "list/1" for "list"; it is empty
// for a name that Names does not list.
func Current(name string) string {
	for _, r := range graders {
		if r.name == name {
			return r.version
		}
	}
	return ""
}

func kindOf(name string) (kind, bool) {
	for _, r := range graders {
		if r.name == name {
			return r.kind, true
		}
	}
	return 0, false
}

// byAnswer returns the grader of an item that names none.
func byAnswer(want verbatim.Answer) string {
	if want.IsList() {
		return "list"
	}
	return "text"
}
