package exchange

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
	"verbatim/internal/table"
)

// ReadSortBenchScores reads published SortBench scores. They are CSV files, with or without gzip, of one row
// for each model and list, with the columns
//
//	mode, model, task, length, list, validity, sorting_published, faithfulness,
//	sortbench_published
//
// or those of the published repository (Mode, Version, Model, Type, Size, List Name, Validity
// Score, Sorting Score, Faithfulness Score, SortBench Score), in any order. Columns with counts and
// results of the parser are read too; other columns are ignored. An empty score is undefined.
//
// The published repository has a file for each mode. All files are read together: a score must not
// occur twice in them, and all must be of one version.
//
// ReadSortBenchScores returns a Run for each model, with the rows of all files. A record has no reply, and a
// grade by the grader Published. Its Score is the published SortBench score unchanged: a few are
// below 0, since they were divided by the length of the input. Exact means the score 1. The items
// are the published lists. They have prompts and answers if lists is a path for ReadSortBenchLists; if it
// is "", they have only ids and facts.
func ReadSortBenchScores(paths []string, lists string, namer sortBenchNamer) ([]Run, error) {
	items, err := itemsByID(lists, namer)
	if err != nil {
		return nil, err
	}
	var wrong problems
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
				wrong.Add(fmt.Errorf("%s: line %d: a score of version %s, but those before are of %s: read the versions one by one", path, row.line, row.file.version, rows[0].file.version))
			case len(rows) == maxRows:
				return nil, fmt.Errorf("%s: more than %d rows: not a file of published scores", path, maxRows)
			default:
				seen[id] = true
				rows = append(rows, row)
			}
		}
		if wrong.Err() == nil && len(rows) == before {
			return nil, fmt.Errorf("%s: the file has no scores", path)
		}
	}
	if err := wrong.Err(); err != nil {
		return nil, err
	}
	slices.SortStableFunc(rows, func(a, b scoreRow) int {
		return cmp.Or(
			cmp.Compare(a.model, b.model),
			cmp.Compare(a.file.order(), b.file.order()),
			compareLists(a.list, b.list),
		)
	})
	var runs []Run
	for len(rows) > 0 {
		n := slices.IndexFunc(rows, func(r scoreRow) bool { return r.model != rows[0].model })
		if n < 0 {
			n = len(rows)
		}
		var records []verbatim.Record
		for _, r := range rows[:n] {
			records = append(records, verbatim.Record{Item: r.item, Prompt: r.item.Prompt, Outcome: r.grade.Outcome, Grade: r.grade})
		}
		run, err := inMemory(verbatim.Run{Model: rows[0].model, Origin: OriginSortBench}, "sortbench", planName(rows[0].file.version), records)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", strings.Join(paths, ", "), err)
		}
		runs = append(runs, run)
		rows = rows[n:]
	}
	return runs, nil
}

// maxRows is the most scores in memory. 10,080 are published.
const maxRows = 200_000

// itemsByID returns the items of lists by their ids; nil without lists. The 1,440 published lists
// have 92,000 elements.
func itemsByID(lists string, namer sortBenchNamer) (map[string]*verbatim.Item, error) {
	if lists == "" {
		return nil, nil
	}
	all, err := ReadSortBenchLists(lists, namer)
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
	namer sortBenchNamer
	items map[string]*verbatim.Item // of itemsByID
}

// A scoreRow is a row of a scoreTable.
type scoreRow struct {
	line  int
	model string
	file  listFile
	list  string
	item  *verbatim.Item
	grade *verbatim.Grade
}

// rows returns the rows of the file. After the error of a row, the next one follows.
func (t *scoreTable) rows() iter.Seq2[scoreRow, error] {
	return func(yield func(scoreRow, error) bool) {
		in, err := Open(t.path)
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
				_, syntax := errors.AsType[*csv.ParseError](err)
				if !yield(scoreRow{}, t.readError(err)) || !syntax {
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

// readError returns an error of reading the CSV file with its path.
func (t *scoreTable) readError(err error) error {
	if err == io.EOF {
		return fmt.Errorf("%s: the file is empty", t.path)
	}
	if _, syntax := errors.AsType[*csv.ParseError](err); syntax {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return err // of exchange.Open, which names the file
}

func (t *scoreTable) row(columns map[string]int, cells []string) (scoreRow, error) {
	cell := func(name string) string {
		if i, ok := columns[name]; ok {
			return table.Unguard(cells[i])
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
