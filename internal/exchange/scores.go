package exchange

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/pylit"
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

// A scoreColumn is a column of a file of scores, in the spelling of this program and in that of
// the published repository.
type scoreColumn struct {
	name, repository string
	measure          bool // it is a number or a truth value
	needed           bool
}

// scoreColumns returns the columns that ReadSortBenchScores reads.
func scoreColumns() []scoreColumn {
	return []scoreColumn{
		{"mode", "Mode", false, true},
		{"version", "Version", false, false},
		{"model", "Model", false, true},
		{"task", "Type", false, true},
		{"length", "Size", false, true},
		{"list", "List Name", false, true},
		{"error_type", "ErrorType", false, false},
		{"parsed", "Parsed", true, false},
		{"is_list", "IsList", true, false},
		{"has_ellipsis", "HasEllipsis", true, false},
		{"required_cast", "RequiredTypeParsing", true, false},
		{"unordered_pairs", "Unordered Pairs After", true, false},
		{"unordered_neighbors", "Unordered Neighbors After", true, false},
		{"missing", "Missing Items", true, false},
		{"additional", "Additional Items", true, false},
		{"validity", "Validity Score", true, false},
		{"sorting_published", "Sorting Score", true, false},
		{"faithfulness", "Faithfulness Score", true, false},
		{"sortbench_published", "SortBench Score", true, true},
	}
}

// findColumns returns the indexes of columns by name. It is an error if one occurs twice, or if a
// needed one is missing.
func findColumns(head []string) (map[string]int, error) {
	at := make(map[string]int)
	for i, h := range head {
		for _, c := range scoreColumns() {
			if h == c.name || h == c.repository {
				if _, twice := at[c.name]; twice {
					return nil, fmt.Errorf("there are two columns %s", h)
				}
				at[c.name] = i
			}
		}
	}
	for _, c := range scoreColumns() {
		if _, ok := at[c.name]; c.needed && !ok {
			return nil, fmt.Errorf("there is no column %s (or %s): this is no file of SortBench scores", c.name, c.repository)
		}
	}
	return at, nil
}

// publishedGrade returns the grade of a row, whose cells it gets by the names of columns.
func publishedGrade(cell func(string) string) (*verbatim.Grade, error) {
	g := &verbatim.Grade{Outcome: verbatim.Wrong, Label: ScoreOnly, Grader: Published, Repair: cell("error_type"), Measures: make(map[string]float64)}
	for _, c := range scoreColumns() {
		if !c.measure {
			continue
		}
		v, ok, err := figure(cell(c.name))
		if err != nil {
			return nil, fmt.Errorf("%s: %w", c.name, err)
		}
		if ok {
			g.Measures[c.name] = v
		}
	}
	if v, ok := g.Measures["sortbench_published"]; ok {
		g.Score = &v // may be below 0: see ReadSortBenchScores
		if v == 1 {
			g.Outcome, g.Label, g.Exact, g.Extracted = verbatim.Pass, "pass", true, true
		}
	}
	return g, nil
}

// figure reads a number or a truth value; ok is false for an empty cell and NaN.
func figure(s string) (v float64, ok bool, err error) {
	switch s {
	case "", "nan", "NaN":
		return 0, false, nil
	case "True":
		return 1, true, nil
	case "False":
		return 0, true, nil
	}
	v, err = strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(v) || math.IsInf(v, 0) {
		return 0, false, fmt.Errorf("want a number, found %q", s)
	}
	return v, true, nil
}

// A column of WriteSortBenchCSV has a name and a cell for each record. An empty cell is an unknown value.
type column struct {
	name string
	cell func(r *verbatim.Run, rec *verbatim.Record) string
}

// columns returns the columns in their order: first those of the benchmark's reference scores, in
// their spelling, then those of this program.
func columns() []column {
	return []column{
		fact("mode", verbatim.FactMode),
		{"model", func(r *verbatim.Run, _ *verbatim.Record) string { return r.Model }},
		{"task", func(_ *verbatim.Run, rec *verbatim.Record) string { return task(rec.Item) }},
		fact("length", verbatim.FactLength),
		fact("list", verbatim.FactList),
		truth("parsed"),
		graded("error_type", func(g *verbatim.Grade) string { return g.Repair }),
		truth("is_list"),
		truth("has_ellipsis"),
		truth("required_cast"),
		measure("unordered_pairs"),
		measure("unordered_neighbors"),
		measure("missing"),
		measure("additional"),
		measure("output_items"),
		measure("validity"),
		measure("sorting"),
		measure("faithfulness"),
		measure("sortbench"),
		measure("sorting_published"),
		measure("sortbench_published"),

		{"run", func(r *verbatim.Run, _ *verbatim.Record) string { return r.Name }},
		{"item", func(_ *verbatim.Run, rec *verbatim.Record) string { return rec.Item.ID }},
		{"trial", func(_ *verbatim.Run, rec *verbatim.Record) string { return strconv.Itoa(rec.Trial) }},
		{"outcome", func(_ *verbatim.Run, rec *verbatim.Record) string { return string(rec.Outcome) }},
		graded("label", func(g *verbatim.Grade) string { return g.Label }),
		graded("exact", func(g *verbatim.Grade) string { return python(g.Exact) }),
		graded("extracted", func(g *verbatim.Grade) string { return python(g.Extracted) }),
		graded("score", func(g *verbatim.Grade) string { return known(g.Score, python[float64]) }),
		measure("sortbench_standard"),
		replied("seconds", func(p *verbatim.Reply) string { return seconds(&p.Times.Total) }),
		replied("first_token_seconds", func(p *verbatim.Reply) string { return seconds(p.Times.FirstToken()) }),
		replied("first_content_seconds", func(p *verbatim.Reply) string { return seconds(p.Times.FirstContent) }),
		replied("queue_seconds", func(p *verbatim.Reply) string { return seconds(p.Times.Queued) }),
		replied("prompt_tokens", func(p *verbatim.Reply) string { return known(p.Usage.Prompt, decimal) }),
		replied("completion_tokens", func(p *verbatim.Reply) string { return known(p.Usage.Completion, decimal) }),
		replied("reasoning_tokens", func(p *verbatim.Reply) string { return known(p.Usage.Reasoning, decimal) }),
		replied("cost_usd", func(p *verbatim.Reply) string { return known(p.Cost, verbatim.Money.Decimal) }),
		replied("claimed_usd", func(p *verbatim.Reply) string { return known(p.Claimed, verbatim.Money.Decimal) }),
		replied("finish_reason", func(p *verbatim.Reply) string { return string(p.Finish) }),
		replied("served_model", func(p *verbatim.Reply) string { return p.ServedModel }),
		{"edition", func(r *verbatim.Run, rec *verbatim.Record) string { return edition(r, rec.Item) }},
		{"seed", func(r *verbatim.Run, _ *verbatim.Record) string { return strconv.FormatUint(r.Plan.Seed, 10) }},
	}
}

// textColumns returns the columns with whole texts: the expected answer, a list as in Python, and the
// reply.
func textColumns() []column {
	return []column{
		{"want", func(_ *verbatim.Run, rec *verbatim.Record) string {
			if rec.Item.Want.IsList() {
				return pylit.Format(rec.Item.Want.List)
			}
			return rec.Item.Want.Text
		}},
		replied("reply", func(p *verbatim.Reply) string { return p.Text }),
	}
}

// SortBenchColumns returns the names of the columns that WriteSortBenchCSV writes.
func SortBenchColumns() []string {
	var names []string
	for _, c := range append(columns(), textColumns()...) {
		names = append(names, c.name)
	}
	return names
}

// WriteSortBenchCSV writes a header and one row for each record, run after run, in planned order. (The
// reference scores are in the order of mode, model, task, length and list: sort by these columns to
// compare the two.) Truth values and numbers are written as in Python, so a count is 2.0 as in the
// reference. An empty cell is an unknown value, never 0. "task" is the published name of a
// SortBench task; for other tasks it is the family, and "mode" is empty. Texts that a spreadsheet
// may take for formulas are guarded by table.Guard, unless raw is set. The last columns, with texts, are
// left out unless texts is set.
func WriteSortBenchCSV(w io.Writer, raw, texts bool, runs ...Run) error {
	out := table.NewWriter(w, raw)
	all := columns()
	if texts {
		all = append(all, textColumns()...)
	}
	if err := out.Write(SortBenchColumns()[:len(all)]); err != nil {
		return err
	}
	cells := make([]string, len(all))
	for i := range runs {
		run := &runs[i].Run
		for rec, err := range runs[i].Records {
			if err != nil {
				return fmt.Errorf("run %s: %w", run.Name, err)
			}
			if rec.Item == nil {
				return fmt.Errorf("run %s: record %d has no item", run.Name, rec.Seq)
			}
			for j, c := range all {
				cells[j] = strings.ToValidUTF8(c.cell(run, &rec), "\ufffd")
			}
			if err := out.Write(cells); err != nil {
				return err
			}
		}
	}
	out.Flush()
	return out.Error()
}

func fact(name, key string) column {
	return column{name, func(_ *verbatim.Run, rec *verbatim.Record) string { return rec.Item.Facts[key] }}
}

func graded(name string, cell func(*verbatim.Grade) string) column {
	return column{name, func(_ *verbatim.Run, rec *verbatim.Record) string {
		if rec.Grade == nil {
			return ""
		}
		return cell(rec.Grade)
	}}
}

func replied(name string, cell func(*verbatim.Reply) string) column {
	return column{name, func(_ *verbatim.Run, rec *verbatim.Record) string {
		if rec.Reply == nil {
			return ""
		}
		return cell(rec.Reply)
	}}
}

func measure(name string) column {
	return graded(name, func(g *verbatim.Grade) string {
		if v, ok := g.Measures[name]; ok && !math.IsNaN(v) {
			return pylit.Format(v)
		}
		return ""
	})
}

func truth(name string) column {
	return graded(name, func(g *verbatim.Grade) string {
		if v, ok := g.Measures[name]; ok {
			return python(v != 0)
		}
		return ""
	})
}

// known returns the cell of a value; "" for an unknown one.
func known[T any](v *T, cell func(T) string) string {
	if v == nil {
		return ""
	}
	return cell(*v)
}

func python[T bool | float64](v T) string { return pylit.Format(v) }

func decimal(n int64) string { return strconv.FormatInt(n, 10) }

// seconds returns the cell of a duration; an imported reply has 0 for an unknown one.
func seconds(d *time.Duration) string {
	if d == nil || *d <= 0 {
		return ""
	}
	return pylit.Format(d.Seconds())
}

func task(it *verbatim.Item) string {
	if t := it.Facts[verbatim.FactTask]; t != "" {
		return t
	}
	return it.Facts[verbatim.FactFamily]
}

func edition(r *verbatim.Run, it *verbatim.Item) string {
	if e := it.Facts[verbatim.FactEdition]; e != "" {
		return e
	}
	return string(r.Plan.Edition)
}
