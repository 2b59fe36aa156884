package exchange

import (
	"fmt"
	"io"
	"math"
	"strconv"
	"strings"
	"time"

	"verbatim"
	"verbatim/internal/table"

	"verbatim/internal/pylit"
)

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
		replied("first_token_seconds", func(p *verbatim.Reply) string { return seconds(p.Times.FirstContent) }),
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

// SortBenchColumns returns the names of the columns that WriteSortBenchCSV writes.
func SortBenchColumns() []string {
	var names []string
	for _, c := range columns() {
		names = append(names, c.name)
	}
	return names
}

// WriteSortBenchCSV writes a header and one row for each record, run after run, in planned order. (The
// reference scores are in the order of mode, model, task, length and list: sort by these columns to
// compare the two.) Truth values and numbers are written as in Python, so a count is 2.0 as in the
// reference. An empty cell is an unknown value, never 0. "task" is the published name of a
// SortBench task; for other tasks it is the family, and "mode" is empty. Texts that a spreadsheet
// may take for formulas are guarded by table.Guard, unless raw is set.
func WriteSortBenchCSV(w io.Writer, raw bool, runs ...Run) error {
	out := table.NewWriter(w, raw)
	all := columns()
	if err := out.Write(SortBenchColumns()); err != nil {
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
