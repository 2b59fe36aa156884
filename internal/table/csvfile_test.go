package table

import (
	"bytes"
	"encoding/csv"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestGuard: what a spreadsheet may obey gets a quote, numbers and other texts none.
func TestGuard(t *testing.T) {
	for _, cell := range []string{
		`=HYPERLINK("http://example.org","x")`, `+1+1`, `-1+cmd|' /C calc'!A0`, `@SUM(A1)`, "\ttext", "\rtext", "'\t", "''\rtext",
		`＝1+1`, `＋1`, `－1`, `＠A1`, ` =1`, "\u00a0=1", "\u200b=1", "\ufeff=1", `"=1"`, `'=1`, ` '"=1`, `''=1`, `-`, `=`, `-a`, `--1`, `+`, `-1e`, `-0.5.1`, `- 1`,
	} {
		if got := guard(cell); got != "'"+cell {
			t.Errorf("%q is written as %q", cell, got)
		}
	}
	for _, cell := range []string{
		"", "a", "1", "-1", "-0.5", "+1", "-1e-05", "-1.5E+10", "1.", "-inf", "-Inf", "nan", "True", "gpt-4", "a=1", "'", "''", "'a", `"quoted"`, " a", "…", "日本", "(=1)", "#1", "\xff",
	} {
		if got := guard(cell); got != cell {
			t.Errorf("%q is written as %q", cell, got)
		}
	}
}

// TestGuardInside: where a spreadsheet separates columns by semicolons or tabs, a cell
// may begin after one, and a row after the end of a line in a quoted cell.
func TestGuardInside(t *testing.T) {
	for cell, want := range map[string]string{
		"a;=1":          "a;'=1",
		"a; =1;b;@c":    "a;' =1;b;'@c",
		"a\t+1-1":       "a\t'+1-1",
		"a\n=1\nb":      "a\n'=1\nb",
		"a\r\n＝1":       "a\r\n'＝1",
		"=a;=b":         "'=a;'=b",
		"\t=1":          "'\t'=1",
		"a;'=1":         "a;''=1",
		"a;\"=1\"":      "a;'\"=1\"",
		"1;-2;+3\n-0.5": "1;-2;+3\n-0.5",
		"a;b=c; d":      "a;b=c; d",
		"a,=b":          "a,=b", // it is quoted
	} {
		if got := guard(cell); got != want {
			t.Errorf("%q is written as %q, want %q", cell, got, want)
		}
	}
}

// TestUnguard: every text comes back.
func TestUnguard(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cell := rapid.StringOf(rapid.SampledFrom([]rune("=+-@＝＠'\"\t\r\n a1.e;,"))).Draw(t, "cell")
		guarded := guard(cell)
		if got := Unguard(guarded); got != cell {
			t.Fatalf("%q comes back as %q", cell, got)
		}
		for _, part := range strings.FieldsFunc(guarded, func(r rune) bool { return strings.ContainsRune(separators, r) }) {
			if formula(part) && part[0] != '\'' {
				t.Fatalf("%q is written as %q", cell, guarded)
			}
		}
	})
}

// TestWriter writes a row unchanged if that is requested.
func TestWriter(t *testing.T) {
	row := []string{"=1", "-0.5", "a,b"}
	for raw, want := range map[bool]string{false: "'=1,-0.5,\"a,b\"\n", true: "=1,-0.5,\"a,b\"\n"} {
		var b bytes.Buffer
		w := NewWriter(&b, raw)
		if err := w.Write(row); err != nil {
			t.Fatal(err)
		}
		if w.Flush(); w.Error() != nil || b.String() != want || row[0] != "=1" {
			t.Errorf("raw %v: %q %v", raw, b.String(), w.Error())
		}
		if _, err := csv.NewReader(&b).ReadAll(); err != nil {
			t.Error(err)
		}
	}
}
