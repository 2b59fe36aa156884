package sortbenchfile

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/csvfile"
	"verbatim/internal/exchange"
	"verbatim/internal/listsort"
)

// ReadScores reads published SortBench scores: CSV files, packed with gzip or not,
// of one row for each model and list, with the columns
//
//	mode, model, task, length, list, validity, sorting_published, faithfulness,
//	sortbench_published
//
// or those that the published repository gives its own files (Mode, Version,
// Model, Type, Size, List Name, Validity Score, Sorting Score, Faithfulness
// Score, SortBench Score). Columns may stand in any order; counts and verdicts of
// the parser are taken where they are there, other columns are passed over. An
// empty score is an undefined one.
//
// The files are read together: the published repository has one for each mode. A score
// must not occur twice in them, and all must be of one version.
//
// It returns a Run for each model, with the rows of all files. The records are scores only, graded by
// Published: the Score is the published SortBench score as it stands (a few are
// below 0, since they were divided by the length of the input), Strict is a full
// one. The items are the published lists, with prompt and answer if lists names a
// folder that Lists can read, by name and facts alone if it is empty.
func ReadScores(paths []string, lists string, namer Namer) ([]exchange.Run, error) {
	items, err := itemsByID(lists, namer)
	if err != nil {
		return nil, err
	}
	var wrong exchange.Problems
	var rows []scoreRow
	seen := make(map[[2]string]bool)
	for _, path := range paths {
		t := &scoreTable{path: path, namer: namer, items: items}
		before := len(rows)
		for row, err := range t.rows() {
			id := [2]string{row.model, row.file.key() + "/" + row.list}
			switch {
			case err != nil:
				wrong.Add(err)
			case seen[id]:
				wrong.Add(fmt.Errorf("%s: line %d: a second score of %s for %s", path, row.line, id[0], id[1]))
			case len(rows) > 0 && row.file.version != rows[0].file.version:
				wrong.Add(fmt.Errorf("%s: line %d: scores of version %s among those of %s: a plan is of one version", path, row.line, row.file.version, rows[0].file.version))
			case len(rows) == maxRows:
				return nil, fmt.Errorf("%s: more than %d rows: not a file of published scores", path, maxRows)
			default:
				seen[id] = true
				rows = append(rows, row)
			}
		}
		if wrong.Err() == nil && len(rows) == before {
			return nil, fmt.Errorf("%s: there are no scores in it", path)
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	listsort.Stable(rows, func(a, b scoreRow) int {
		return cmp.Or(
			cmp.Compare(a.model, b.model),
			cmp.Compare(a.file.order(), b.file.order()),
			compareLists(a.list, b.list),
		)
	})
	var runs []exchange.Run
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r scoreRow) bool { return r.model != rows[0].model })
		if n < 0 {
			n = len(rows)
		}
		run, err := scoreRun(rows[:n])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(paths, ", "), err)
		}
		runs = append(runs, run)
		rows = rows[n:]
	}
	return runs, nil
}

// maxRows is the number of scores that are kept while they are sorted; the
// published ones are 10,080.
const maxRows = 200_000

// scoreRun makes the run of one model's rows.
func scoreRun(rows []scoreRow) (exchange.Run, error) {
	h := exchange.NewItemsHash()
	for _, r := range rows {
		if err := h.Add(r.item); err != nil {
			return exchange.Run{}, err
		}
	}
	plan := h.Plan("sortbench", planName(rows[0].file.version), 1, int64(len(rows)))
	return exchange.Run{
		Run: verbatim.Run{Plan: plan, Model: rows[0].model, Origin: Origin},
		Records: func(yield func(verbatim.Record, error) bool) {
			for i, r := range rows {
				rec := verbatim.Record{Seq: int64(i), Item: r.item, Prompt: r.item.Prompt, Outcome: r.grade.Outcome, Grade: r.grade}
				if !yield(rec, nil) {
					return
				}
			}
		},
	}, nil
}

// itemsByID keeps the published lists: 1,440 of them hold 92,000 values.
func itemsByID(lists string, namer Namer) (map[string]*verbatim.Item, error) {
	if lists == "" {
		return nil, nil
	}
	all, err := ReadLists(lists, namer)
	if err != nil {
		return nil, err
	}
	items := make(map[string]*verbatim.Item)
	for it, err := range all {
		if err != nil {
			return nil, err
		}
		items[it.ID] = &it
	}
	return items, nil
}

// A scoreTable is a file of scores.
type scoreTable struct {
	path  string
	namer Namer
	items map[string]*verbatim.Item
}

// A scoreRow is one row of it.
type scoreRow struct {
	line  int
	model string
	file  listFile
	list  string
	item  *verbatim.Item
	grade *verbatim.Grade
}

// rows reads the file. A broken row is an error, and reading goes on after it.
func (t *scoreTable) rows() iter.Seq2[scoreRow, error] {
	return func(yield func(scoreRow, error) bool) {
		in, err := exchange.Open(t.path)
		if err != nil {
			yield(scoreRow{}, err)
			return
		}
		defer in.Close()
		r := csv.NewReader(in)
		r.ReuseRecord = true
		head, err := r.Read()
		if err != nil {
			yield(scoreRow{}, t.readError(err))
			return
		}
		columns, err := findColumns(head)
		if err != nil {
			yield(scoreRow{}, fmt.Errorf("%s: line 1: %w", t.path, err))
			return
		}
		for {
			cells, err := r.Read()
			if err == io.EOF {
				return
			}
			if err != nil {
				var syntax *csv.ParseError
				if !yield(scoreRow{}, t.readError(err)) || !errors.As(err, &syntax) {
					return
				}
				continue
			}
			line, _ := r.FieldPos(0)
			row, err := t.row(columns, cells)
			if err != nil {
				err = fmt.Errorf("%s: line %d: %w", t.path, line, err)
			}
			if row.line = line; !yield(row, err) {
				return
			}
		}
	}
}

func (t *scoreTable) readError(err error) error {
	var syntax *csv.ParseError
	switch {
	case err == io.EOF:
		return fmt.Errorf("%s: the file is empty", t.path)
	case errors.As(err, &syntax):
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return err // a reader names its file
}

func (t *scoreTable) row(columns map[string]int, cells []string) (scoreRow, error) {
	cell := func(name string) string {
		if i, ok := columns[name]; ok {
			return csvfile.Unguard(cells[i])
		}
		return ""
	}
	for _, name := range []string{"mode", "model", "task", "list"} {
		if cell(name) == "" {
			return scoreRow{}, fmt.Errorf("%s is empty", name)
		}
	}
	row := scoreRow{model: cell("model"), list: cell("list")}
	row.file = listFile{mode: cell("mode"), version: cmp.Or(cell("version"), "v1.0"), task: published(cell("task"))}
	n, err := strconv.Atoi(cell("length"))
	if err != nil || n <= 0 {
		return scoreRow{}, fmt.Errorf("length: want a whole number above 0, found %q", cell("length"))
	}
	row.file.length = n
	row.item = row.file.bareItem(row.list, t.namer)
	if t.items != nil {
		it, ok := t.items[row.item.ID]
		if !ok {
			return scoreRow{}, fmt.Errorf("%s is not one of the published lists", row.item.ID)
		}
		row.item = it
	}
	row.grade, err = publishedGrade(cell)
	return row, err
}
