package cli

import (
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/table"
	"verbatim/internal/task"
)

// A Family is the JSON form of a task family.
type taskEntry struct {
	Name           string `json:"name"`
	Version        int    `json:"version"`
	Doc            string `json:"doc"`
	About          string `json:"about,omitempty"`
	Unit           string `json:"unit"`
	Min            int    `json:"min"`
	Max            *int   `json:"max"` // null: no bound
	DefaultLengths []int  `json:"ladder"`
	Task           string `json:"task,omitempty"`
	Mode           string `json:"mode,omitempty"`
	// Wordings are the official wording, whose name is empty, and the paraphrases.
	Wordings []taskWording `json:"wordings"`
}

// A Wording is a wording of the prompt of a family.
type taskWording struct {
	Name   string `json:"name"`
	System string `json:"system,omitempty"`
	Text   string `json:"text"` // with the inputs of an item as {name}
}

// taskEntries returns the JSON form of task families.
func taskEntries(families []verbatim.Family) []taskEntry {
	out := make([]taskEntry, len(families))
	for i, f := range families {
		out[i] = taskEntry{f.Name, f.Version, f.Doc, f.About, f.Unit, f.Min, nil, f.DefaultLengths, f.Task, f.Mode, nil}
		for n, w := range f.Wordings {
			out[i].Wordings = append(out[i].Wordings, taskWording{task.WordingName(n), w.System, w.Text})
		}
		if f.Max > 0 {
			out[i].Max = &f.Max
		}
	}
	return out
}

// taskTable lists task families, a line each.
func taskTable(families []verbatim.Family) *table.Table {
	t := table.ListOf("name", "lengths", "what is asked")
	for _, f := range families {
		t.Add(f.Name, ladder(f), f.Doc)
	}
	return t
}

// ladder lists the default lengths of a family with their unit, as "2..256 items" if each is twice the
// one before.
func ladder(f verbatim.Family) string {
	lengths := f.DefaultLengths
	doubling := len(lengths) > 2
	for i := 1; i < len(lengths); i++ {
		doubling = doubling && lengths[i] == 2*lengths[i-1]
	}
	if doubling {
		return fmt.Sprintf("%d..%d %s", lengths[0], lengths[len(lengths)-1], f.Unit)
	}
	points := make([]string, len(lengths))
	for i, n := range lengths {
		points[i] = fmt.Sprint(n)
	}
	return strings.Join(points, ",") + " " + f.Unit
}
