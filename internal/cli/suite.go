package cli

import (
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/table"
	"verbatim/internal/task"
)

// A Suite is the JSON form of a suite.
type suiteEntry struct {
	Name  string      `json:"name"`
	Doc   string      `json:"doc"`
	Count int64       `json:"count"`           // of items, with the default flags
	Tasks []suiteTask `json:"tasks,omitempty"` // of one suite that was named
}

// A suiteTask is the part of a suite that is of one task.
type suiteTask struct {
	Name    string   `json:"name"`
	Doc     string   `json:"doc"`
	Lengths []string `json:"lengths"` // such as "8", or "2..30" if each item draws its own
	Count   int64    `json:"count"`
}

// suiteEntries returns all suites with their numbers of items, or those named with their tasks. The
// error of a wrong name names the nearest suite.
func suiteEntries(names ...string) (list []suiteEntry, err error) {
	named, docs := len(names) > 0, map[string]string{}
	for _, s := range task.Suites() {
		docs[s.Name] = s.Doc
		if !named {
			names = append(names, s.Name)
		}
	}
	for _, name := range names {
		plan, err := task.Plan(task.Request{Suite: name, Seed: 1})
		if err != nil {
			return nil, err
		}
		s := suiteEntry{Name: name, Doc: docs[name], Count: plan.Count}
		if named {
			s.Tasks = suiteTasks(plan)
		}
		list = append(list, s)
	}
	return list, nil
}

// suiteTasks adds up the cells of a plan by task.
func suiteTasks(plan verbatim.Plan) (tasks []suiteTask) {
	for _, f := range task.Families() {
		t := suiteTask{Name: f.Name, Doc: f.Doc}
		for _, c := range plan.Cells {
			if c.Family == f.Name {
				t.Lengths, t.Count = append(t.Lengths, c.Length.String()), t.Count+int64(c.N)
			}
		}
		if t.Count > 0 {
			tasks = append(tasks, t)
		}
	}
	return tasks
}

// suiteTable lists suites, a line each.
func suiteTable(list []suiteEntry) *table.Table {
	t := table.ListOf("name", "items", "what it tests")
	t.Columns[1].Right = true
	for _, s := range list {
		t.Add(s.Name, fmt.Sprint(s.Count), s.Doc)
	}
	return t
}

// TaskTable lists the tasks of a suite, a line each.
func (s *suiteEntry) taskTable() *table.Table {
	t := table.ListOf("task", "items", "lengths", "what is asked")
	t.Columns[1].Right = true
	for _, part := range s.Tasks {
		t.Add(part.Name, fmt.Sprint(part.Count), strings.Join(part.Lengths, ","), part.Doc)
	}
	return t
}
