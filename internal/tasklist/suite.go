package tasklist

import (
	"fmt"

	"verbatim/internal/table"
	"verbatim/internal/task"
)

// A Suite is what the JSON says of a suite.
type Suite struct {
	Name  string `json:"name"`
	Doc   string `json:"doc"`
	Count int64  `json:"count"` // of items, with the default flags
}

// Suites returns the suites with their numbers of items.
func Suites() (list []Suite, err error) {
	for _, s := range task.Suites() {
		plan, err := task.Plan(task.Request{Suite: s.Name, Seed: 1})
		if err != nil {
			return nil, err
		}
		list = append(list, Suite{s.Name, s.Doc, plan.Count})
	}
	return list, nil
}

// SuiteTable lists suites, a line each.
func SuiteTable(list []Suite) *table.Table {
	t := table.ListOf("name", "items", "what it asks")
	t.Columns[1].Right = true
	for _, s := range list {
		t.Add(s.Name, fmt.Sprint(s.Count), s.Doc)
	}
	return t
}
