package store

import (
	"compress/gzip"
	"io"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/store/jsonlines"
	"verbatim/internal/store/rows"
)

// exportRenames is the whole difference between an export of format 4 and of format 5,
// as patterns and their replacements in this order.
var exportRenames = []struct{ old, new string }{
	{`"format":"verbatim/store/[1-4]"`, `"format":"` + jsonlines.Format + `"`},
	{`"params":{"thinking":`, `"params":{"reasoning_tokens":`},
	{`,"against":"`, `,"baseline":"`},
	{`"test":{"kind":"limit"`, `"test":{"kind":"horizon"`},
	{`("margin":"[^"]*"|"items":"[^"]*"),"on":"payload"`, `$1,"metric":"extracted"`},
	{`("margin":"[^"]*"|"items":"[^"]*"),"on":"`, `$1,"metric":"`},
	{`(?m)^{"tried":`, `{"attempts":`},
	{`"state":"(\w+)","places":`, `"state":"$1","positions":`},
	{`,"strict":`, `,"exact":`},
	{`,"payload":`, `,"extracted":`},
	{`"label":"truncated"`, `"label":"cut_short"`},
	{`"outcome":"limit","label":"wrapped"`, `"outcome":"limit","label":"explained"`},
	{`"label":"wrapped","detail":"([^"]*items cast)`, `"label":"coerced","detail":"$1`},
	{`"label":"wrapped","detail":"(talk around the list|[^"]*comments|[^"]*[Cc]ontent)`, `"label":"explained","detail":"$1`},
	{`"label":"wrapped"`, `"label":"reformatted"`},
	{`"label":"reasoning_leak","detail":"truncated`, `"label":"reasoning_leak","detail":"cut_short`},
	{`"label":"reasoning_leak","detail":"wrapped: items cast`, `"label":"reasoning_leak","detail":"coerced: items cast`},
	{`"label":"reasoning_leak","detail":"wrapped: (talk around the list|[^"]*[Cc]ontent)`, `"label":"reasoning_leak","detail":"explained: $1`},
	{`"outcome":"limit"`, `"outcome":"truncated"`},
	{`"flags":\[("\w+",)?"limit"`, `"flags":[$1"truncated"`},
}

// inNewWords applies exportRenames.
func inNewWords(export string) string {
	for _, r := range exportRenames {
		export = regexp.MustCompile(r.old).ReplaceAllString(export, r.new)
	}
	return export
}

func unzipped(t *testing.T, name string) string {
	t.Helper()
	f, err := os.Open(name)
	must(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	must(t, err)
	b, err := io.ReadAll(z)
	must(t, err)
	return string(b)
}

// TestMigrateVersion4 opens a database that the program of version 4 made, with all
// outcomes, with open and closed tests, batches, failures and imports. What that program
// exported from it is what this one exports, but for exportRenames.
func TestMigrateVersion4(t *testing.T) {
	s, err := Open(ctx, released(t, 4))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	runs, err := s.Runs(ctx)
	must(t, err)
	var numbers []int64
	outcomes, labels := map[verbatim.Outcome]int{}, map[string]int{}
	for _, r := range runs {
		numbers = append(numbers, r.N)
		texts := all(t, s, r.N, whole)
		for i, rec := range all(t, s, r.N, rows.Read{Scores: true}) { // from the briefs
			outcomes[rec.Outcome]++
			if g := rec.Grade; g != nil {
				labels[g.Label]++
				if want := texts[i].Grade; g.Label != want.Label || g.Outcome != want.Outcome || g.Exact != want.Exact || g.Extracted != want.Extracted {
					t.Errorf("run %d, position %d: the brief says %+v, the row %+v", r.N, rec.Seq, g, want)
				}
			}
		}
		for i, rec := range tabled(t, s, r.N) {
			if g := rec.Grade; g != nil && !slices.Equal(g.Flags, texts[i].Grade.Flags) {
				t.Errorf("run %d, position %d: flags %q, want %q", r.N, rec.Seq, g.Flags, texts[i].Grade.Flags)
			}
		}
	}
	slices.Sort(numbers)
	if len(runs) != 14 || len(outcomes) < 6 || outcomes[verbatim.Truncated] < 10 {
		t.Errorf("%d runs with %v", len(runs), outcomes)
	}
	for _, label := range []string{"cut_short", "coerced", "explained", "reformatted"} {
		if labels[label] == 0 {
			t.Errorf("no grade has the label %s: %v", label, slices.Sorted(maps.Keys(labels)))
		}
	}
	if labels["truncated"]+labels["wrapped"] > 0 {
		t.Errorf("old labels are left: %v", labels)
	}
	old := unzipped(t, "testdata/v4.jsonl.gz")
	if want := inNewWords(old); export(t, s, numbers...) != want {
		t.Errorf("the export differs by more than the renames: %s", firstDifference(want, export(t, s, numbers...)))
	}
	must(t, s.Check(ctx))
	// The old export is imported as the same.
	into := newStore(t)
	if _, err := into.Import(ctx, strings.NewReader(old)); err != nil {
		t.Fatal(err)
	}
	if want := inNewWords(old); export(t, into, numbers...) != want {
		t.Errorf("the imported runs differ by more than the renames: %s", firstDifference(want, export(t, into, numbers...)))
	}
}

// tabled reads a run for tables, without the texts of briefs.
func tabled(t *testing.T, s *Store, run int64) (list []verbatim.Record) {
	t.Helper()
	for rec, err := range s.Records(ctx, run, rows.Read{Tables: true}) {
		must(t, err)
		if rec.Grade != nil {
			g := *rec.Grade
			rec.Grade = &g
		}
		list = append(list, rec)
	}
	return list
}

// TestMigrateVersion4GoesOn: a run and a test of version 4 are found by the words of
// version 5.
func TestMigrateVersion4GoesOn(t *testing.T) {
	s, err := Open(ctx, released(t, 4))
	must(t, err)
	t.Cleanup(func() { must(t, s.Close()) })
	runs, err := s.Runs(ctx)
	must(t, err)
	open := 0
	for _, r := range runs {
		if t := r.Test; t != nil && t.Verdict != "" || r.Origin != "" {
			continue
		}
		open++
		again, existed, err := s.Begin(ctx, r.Run, false)
		must(t, err)
		if !existed || again.N != r.N {
			t.Errorf("run %d is begun as run %d", r.N, again.N)
		}
	}
	if open < 8 {
		t.Errorf("%d runs were begun", open)
	}
}

// firstDifference shows the first lines in which two exports differ.
func firstDifference(a, b string) string {
	i := 0
	for i < min(len(a), len(b)) && a[i] == b[i] {
		i++
	}
	from := max(i-200, 0)
	return "want …" + a[from:min(i+200, len(a))] + "…\ngot …" + b[from:min(i+200, len(b))] + "…"
}
