package store

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"verbatim"

	"verbatim/internal/store/sqlite"
	"verbatim/internal/store/storetest"
)

// perRun are the tables that grow with runs and not with records: one scan of them is
// allowed.
var perRun = []string{"run", "plan", "lease", "batch", "tally", "incoming", "sqlite_master", "sqlite_sequence"}

// sorted are the statements that may sort, by their beginnings, each with what bounds
// the rows that are sorted.
var sorted = map[string]string{
	`SELECT run, outcome, sum(n) FROM tally WHERE n > 0 GROUP BY`: "tally has a row for each outcome of a run",
	`SELECT outcome, sum(n) FROM tally`:                           "the same, of one run",
	`SELECT run, key, provider, state, places, raw`:               "the batches of one run",
}

// TestQueryPlans looks at the plan of every statement of this package: none walks
// through a table that grows with records, none walks through a table for every row of
// another, none makes an index of its own, and none sorts what has no bound.
func TestQueryPlans(t *testing.T) {
	s := newStore(t)
	statements := walk(t, s)
	for _, text := range literals(t, strings.Join(slices.Collect(maps.Keys(statements)), "\n")) {
		statements[text] = true
	}
	explained, needed := 0, map[string]bool{}
	for _, sql := range slices.Sorted(maps.Keys(statements)) {
		wrong, sorts := badPlan(t, s, sql)
		for _, wrong := range wrong {
			t.Errorf("%s\n%s", wrong, sql)
		}
		if begin := boundedSort(sql); sorts && begin == "" {
			t.Errorf("sorts rows without a known bound\n%s", sql)
		} else if sorts {
			needed[begin] = true
		}
		explained++
	}
	for begin := range sorted {
		if !needed[begin] {
			t.Errorf("no statement sorts that begins with %q", begin)
		}
	}
	if explained < 80 {
		t.Errorf("only %d statements were looked at", explained)
	}
}

// TestQueryPlansSee shows that the plans of TestQueryPlans say what is wrong.
func TestQueryPlansSee(t *testing.T) {
	s := newStore(t)
	for sql, want := range map[string]string{
		`SELECT count(*) FROM reply`: "walks through reply",
		`SELECT r.place, g.grader FROM reply r CROSS JOIN item i ON i.id = r.item LEFT JOIN grade g ON g.place = r.place AND 0
			WHERE r.place BETWEEN ? AND ? ORDER BY r.place`: "walks through g",
		`SELECT 1 FROM lease CROSS JOIN run ON run.model > lease.host`:       "walks through run for every row",
		`SELECT place FROM reply WHERE place BETWEEN ? AND ? ORDER BY trial`: "sorts",
		`SELECT 1 FROM lease CROSS JOIN run ON run.model = lease.host`:       "makes an index",
	} {
		wrong, sorts := badPlan(t, s, sql)
		found := fmt.Sprint(wrong)
		if sorts {
			found += " sorts"
		}
		if !strings.Contains(found, want) {
			t.Errorf("%s\n%q, want %q", sql, found, want)
		}
	}
}

var scans = regexp.MustCompile(`^SCAN (\w+)`)

// badPlan says what is wrong with the plan of a statement, and whether it sorts.
func badPlan(t *testing.T, s *Store, sql string) (wrong []string, sorts bool) {
	t.Helper()
	type step struct {
		id, parent int64
		detail     string
	}
	var steps []step
	must(t, s.file.With(func(c *sqlite.Conn) error {
		return c.QueryEach(ctx, func(r *sqlite.Rows) {
			step := step{id: r.Int(), parent: r.Int()}
			r.Skip(1)
			step.detail = r.Text()
			steps = append(steps, step)
		}, `EXPLAIN QUERY PLAN `+sql, make([]any, strings.Count(sql, "?"))...)
	}))
	loops := map[int64]int{} // of a parent, one inside the other
	for _, step := range steps {
		name := scans.FindStringSubmatch(step.detail)
		switch {
		case name == nil:
		case strings.Contains(step.detail, "CONSTANT ROW"), strings.HasSuffix(step.detail, "VALUES CLAUSE"):
			continue
		case !slices.Contains(perRun, name[1]) && !(readsAll(sql) && step.parent == 0):
			wrong = append(wrong, "walks through "+name[1]+": "+step.detail)
		case loops[step.parent] > 0:
			wrong = append(wrong, "walks through "+name[1]+" for every row of another table: "+step.detail)
		}
		if name != nil || strings.HasPrefix(step.detail, "SEARCH") {
			loops[step.parent]++
		}
		if strings.Contains(step.detail, "AUTOMATIC") {
			wrong = append(wrong, "makes an index of its own: "+step.detail)
		}
		sorts = sorts || strings.Contains(step.detail, "TEMP B-TREE")
	}
	return wrong, sorts
}

// readsAll reports whether a statement has the task to read every row once.
func readsAll(sql string) bool {
	return slices.ContainsFunc(fileChecks, func(c rowCheck) bool { return c.sql == sql })
}

// boundedSort returns the entry of sorted that a statement begins with.
func boundedSort(sql string) string {
	plain := strings.Join(strings.Fields(sql), " ")
	for begin := range sorted {
		if strings.HasPrefix(plain, begin) {
			return begin
		}
	}
	return ""
}

// query matches the beginning of a statement that has a plan.
var query = regexp.MustCompile(`^\s*(SELECT|INSERT|UPDATE|DELETE|WITH)\s+\S`)

// walk calls what the package offers on a database with rows in every table, and
// returns the statements that were prepared for it.
func walk(t *testing.T, s *Store) map[string]bool {
	t.Helper()
	run := newRun(t, s, "m", "abc")
	other := newRun(t, s, "m", "abc")
	w, err := s.Write(ctx, nil, run.N, other.N)
	must(t, err)
	for seq := range int64(40) {
		must(t, w.Put(ctx, run.N, storetest.Typical(seq)))
	}
	for seq := range int64(3) {
		must(t, w.Put(ctx, other.N, storetest.Failed(seq, verbatim.CutOff, 1, 2)))
	}
	must(t, w.waitCommitted(ctx))
	must(t, w.Put(ctx, other.N, storetest.Typical(1)))
	must(t, w.waitCommitted(ctx))
	withdrawn := storetest.Failed(1, verbatim.Skipped, 3)
	withdrawn.Failure.Class = verbatim.Shortened
	must(t, w.Put(ctx, other.N, withdrawn))
	b, err := w.BeginBatch(ctx, run.N, []int64{50, 51}, AnyTokens)
	must(t, err)
	must(t, w.SetBatchID(ctx, b, "batch-1"))
	must(t, w.Close())
	must(t, s.file.Update(ctx, func(c *sqlite.Conn) error { // many at once, however slow the machine is
		var entries []*Entry
		for seq := range int64(atOnce) {
			e, err := newEntry(run.N, storetest.Typical(60+seq))
			must(t, err)
			entries = append(entries, &e)
		}
		k := newInserter(c)
		if err := k.insertAll(entries, func(*Entry, verbatim.Outcome) {}); err != nil {
			return err
		}
		return k.flushCounts()
	}))

	_, err = s.Graders(ctx, run.N)
	must(t, err)
	for _, what := range []Read{{}, {Texts: true}, whole, {Scores: true}, {Scores: true, Measures: true}, {Tables: true}, {Tables: true, Measures: true},
		{Columns: true}, {Scores: true, Columns: true}, {Tables: true, Columns: true}, {Attempts: true}} {
		all(t, s, run.N, what)
		all(t, s, other.N, what)
	}
	_, err = s.Record(ctx, run.N, storetest.Typical(3).Item.ID, 0)
	must(t, err)
	_, err = s.Positions(ctx, other.N)
	must(t, err)
	_, err = s.Spending(ctx, run.N)
	must(t, err)
	_, err = s.UsageStats(ctx, "m", nil)
	must(t, err)
	_, err = s.Runs(ctx)
	must(t, err)
	_, err = s.Tally(ctx, run.N)
	must(t, err)
	_, err = s.Batches(ctx, run.N)
	must(t, err)
	for _, name := range []string{"1", "last", "m", run.Name, "m-abc", "nothing"} {
		s.Find(ctx, name, "abc") // some are ambiguous or unknown
	}
	judge := func(*verbatim.Item, string, verbatim.Finish) (verbatim.Grade, error) {
		g := *storetest.Typical(0).Grade
		g.Grader, g.Label, g.Outcome, g.Exact = "list/99", "other", verbatim.Wrong, false
		return g, nil
	}
	_, err = s.Regrade(ctx, run.N, judge, nil)
	must(t, err)
	_, err = s.End(ctx, run.N, 0, time.Now())
	must(t, err)
	_, err = s.Verify(ctx, func(v Verification) {
		if len(v.Wrong) > 0 {
			t.Error(v.Wrong)
		}
	})
	must(t, err)
	var lines bytes.Buffer
	must(t, s.Export(ctx, &lines, run.N, other.N))
	_, err = s.Import(ctx, bytes.NewReader(lines.Bytes())) // it is there already
	must(t, err)

	statements := map[string]bool{}
	for _, sql := range s.file.Statements() {
		if query.MatchString(sql) {
			statements[sql] = true
		}
	}
	return statements
}

// literals returns the statements that the sources hold whole. A part of one must be in
// a statement that walk has seen, so that none is left out.
func literals(t *testing.T, seen string) (whole []string) {
	t.Helper()
	s := newStore(t)
	files, err := filepath.Glob("*.go")
	must(t, err)
	more, err := filepath.Glob("*/*.go")
	must(t, err)
	files = append(files, more...)
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		must(t, err)
		set := token.NewFileSet()
		tree, err := parser.ParseFile(set, file, source, 0)
		must(t, err)
		ast.Inspect(tree, func(n ast.Node) bool {
			lit, ok := n.(*ast.BasicLit)
			if !ok || lit.Kind != token.STRING {
				return true
			}
			text, err := strconv.Unquote(lit.Value)
			must(t, err)
			if !query.MatchString(text) || lit.Value[0] != '`' {
				return true
			}
			err = s.file.With(func(c *sqlite.Conn) error {
				return c.Prepare(`EXPLAIN ` + text)
			})
			switch {
			case err == nil:
				whole = append(whole, text)
			case !strings.Contains(seen, text):
				t.Errorf("%s: no call of this test prepares the statement that begins with\n%s", fmt.Sprint(set.Position(lit.Pos())), text)
			}
			return true
		})
	}
	return whole
}
