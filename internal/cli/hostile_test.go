package cli

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	_ "modernc.org/sqlite"

	"verbatim"

	"verbatim/internal/exhaustive"
	"verbatim/internal/store"
)

// hostile is text that a terminal would obey, that hides or moves other text, and that
// forges a line.
const hostile = "\x1b[2J\x1b[35mpink\x1b[m\x1b]0;title\x07\x1b]52;c;eA==\x1b\\\x1b]8;;http://evil.example\x1b\\\x1bP+q\x1b\\" +
	"\u009b31m\x9b31m\x90\rOVER\b\b\x00\x7f\u0085\u202e\u2066\u200e\u061c\u200b\ufeff\u2028\u2029" +
	"\nFORGED PASS all tests\r\nFORGED ![i](http://evil.example/p) <img src=x> |`$(id)`"

// ourSequences are what the program itself writes to a terminal.
var ourSequences = []string{"\x1b[1m", "\x1b[2m", "\x1b[31m", "\x1b[32m", "\x1b[33m", "\x1b[36m", "\x1b[m", "\r\x1b[K"}

// obeyed names the first thing in s that a terminal would obey, or that hides or moves
// what is next to it, or "". On a terminal our own sequences may be in it.
func obeyed(s string, terminal bool) string {
	if terminal {
		for _, own := range ourSequences {
			s = strings.ReplaceAll(s, own, "")
		}
	}
	for i, r := range s {
		if r == utf8.RuneError && !strings.HasPrefix(s[i:], "\ufffd") {
			return fmt.Sprintf("the byte %#x in %q", s[i], around(s, i))
		}
		if r != '\n' && r != '\t' && !unicode.IsPrint(r) {
			return fmt.Sprintf("%U in %q", r, around(s, i))
		}
	}
	return ""
}

func around(s string, i int) string { return s[max(0, i-60):min(len(s), i+60)] }

// forged returns the first line of s that foreign text made: it begins with what only a
// line feed in that text can bring there. A line that is indented under a label is a part
// of what the label names, broken where the width ends.
func forged(s string) string {
	for line := range strings.Lines(s) {
		for _, own := range ourSequences {
			line = strings.ReplaceAll(line, own, "")
		}
		if text := strings.TrimLeft(line, " \t"); strings.HasPrefix(text, "FORGED") && len(line)-len(text) < label {
			return line
		}
	}
	return ""
}

// label is the least indentation of what is broken under a label.
const label = 9

// fill sets every string below v to hostile text that names its field, and everything
// else to something that is there.
func fill(v reflect.Value, path, text string) {
	word := path + " " + text
	switch x := v.Addr().Interface().(type) {
	case *time.Time:
		*x = time.Date(2026, 5, 4, 9, 0, 0, 0, time.UTC)
		return
	case *json.RawMessage:
		*x, _ = json.Marshal(word)
		return
	case *error:
		*x = errors.New(word)
		return
	case *verbatim.Finish: // these sets are closed
		*x = verbatim.FinishStop
		return
	case *verbatim.Class:
		*x = verbatim.Transport
		return
	case *verbatim.Outcome:
		*x = verbatim.Wrong
		return
	case *verbatim.Token: // it holds others
		*x = verbatim.Token{Text: word, Logprob: -1, Top: []verbatim.Token{{Text: word, Logprob: -2}}}
		return
	case *verbatim.Answer:
		*x = verbatim.ListAnswer([]any{word, int64(3)})
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(word)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem(), path, text)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			v.SetBytes([]byte(word))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range 2 {
			fill(v.Index(i), fmt.Sprint(path, i), text)
		}
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(key, path+".key", text)
		fill(value, path+".value", text)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			fill(v.Field(i), path+"."+v.Type().Field(i).Name, text)
		}
	case reflect.Int, reflect.Int64:
		v.SetInt(1)
	case reflect.Uint64:
		v.SetUint(1)
	case reflect.Float64:
		v.SetFloat(0.5)
	case reflect.Bool:
		v.SetBool(true)
	default:
		panic("fill does not know " + v.Type().String())
	}
}

// hostileRun is a run of three records in which every text is hostile.
func hostileRun(text string) (verbatim.Run, []verbatim.Record) {
	var run verbatim.Run
	fill(reflect.ValueOf(&run).Elem(), "run", strings.ToValidUTF8(text, "")) // JSON holds no other
	run.Plan.Count, run.Plan.Trials, run.Test.Closed = 3, 1, time.Time{}
	run.Test.Verdict = ""
	var records []verbatim.Record
	for seq, outcome := range []verbatim.Outcome{verbatim.Wrong, verbatim.Errored, verbatim.Pass} {
		var rec verbatim.Record
		fill(reflect.ValueOf(&rec).Elem(), "record", strings.ToValidUTF8(text, ""))
		rec.Reply.Text, rec.Reply.Reasoning, rec.Grade.Detail, rec.Failure.Err = text, text, text, errors.New(text) // any bytes
		item := *rec.Item
		item.ID = []string{"-first", "second", "third"}[seq] + " " + item.ID
		rec.Item, rec.Seq, rec.Trial, rec.Outcome = &item, int64(seq), 0, outcome
		for i := range item.Prompt {
			item.Prompt[i].Content = item.Prompt[i].Content[:1]
			item.Prompt[i].Content[0].Image = nil
		}
		rec.Prompt = item.Prompt
		if outcome.Answered() {
			rec.Failure, rec.Grade.Outcome = nil, outcome
		} else {
			rec.Reply, rec.Grade = nil, nil
		}
		records = append(records, rec)
	}
	return run, records
}

// hostileDatabase holds runs in which every text is hostile: two of one plan, one that
// is a test, one of a file of items, and one of a variant.
func hostileDatabase(t *testing.T, text string) string {
	t.Helper()
	ctx := context.Background()
	db := filepath.Join(t.TempDir(), "hostile.db")
	s, err := store.Create(ctx, db)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	for _, kind := range []string{"a", "b", "test", "items", "variant"} {
		run, records := hostileRun(text)
		run.Model = kind + " " + run.Model
		if kind != "test" {
			run.Test = nil
		}
		if kind != "items" {
			run.Plan.Items = nil
		} else {
			run.Plan.Cells = nil
		}
		if kind != "variant" {
			run.Plan.Variant = nil
		}
		if kind == "items" || kind == "variant" {
			run.Plan.Hash = kind + run.Plan.Hash
		} else {
			run.Origin = ""
		}
		begun, _, err := s.Begin(ctx, run, true)
		if err != nil {
			t.Fatalf("%s: %v", kind, err)
		}
		w, err := s.Write(ctx, nil, begun.N)
		if err != nil {
			t.Fatal(err)
		}
		for _, rec := range records {
			if kind == "b" && rec.Outcome == verbatim.Pass { // an item that one has right and the other has not
				rec.Outcome, rec.Grade.Outcome = verbatim.Wrong, verbatim.Wrong
			}
			if err := w.Put(ctx, begun.N, rec); err != nil {
				t.Fatalf("%s: %v", kind, err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
	}
	// Names and the origin are made or checked by the program: a file from elsewhere may
	// hold anything.
	raw, err := sql.Open("sqlite", db)
	if err != nil {
		t.Fatal(err)
	}
	defer raw.Close()
	for _, q := range []string{
		`UPDATE run SET name = id || ' name ' || ?1, tool = 'tool ' || ?1, origin = CASE WHEN id > 3 THEN 'origin ' || ?1 ELSE origin END`,
		`UPDATE run SET verdict = 'verdict ' || ?1, closed = 0 WHERE id = 3`,
	} {
		if _, err := raw.Exec(q, text); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	return db
}

// printed runs a command line on a terminal of the width, or on pipes where it is 0.
func printed(t *testing.T, db string, width int, args ...string) ran {
	t.Helper()
	return printedAt(t, db, "off", width, args...)
}

// printedAt is printed where model servers are looked for at an address.
func printedAt(t *testing.T, db, discover string, width int, args ...string) ran {
	t.Helper()
	var out, err bytes.Buffer
	code := Main(args, Env{
		In: strings.NewReader(""), Out: &out, Err: &err, OutWidth: width, ErrWidth: width,
		Getenv: func(name string) string {
			return map[string]string{"VERBATIM_DISCOVER": discover, "VERBATIM_DB": db}[name]
		},
		Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} },
	})
	return ran{code, out.String(), err.String()}
}

// harmlessResult checks what a command has printed.
func harmlessResult(t *testing.T, r ran, width int, exact bool, args []string) {
	t.Helper()
	if bad := obeyed(r.err, width > 0); bad != "" {
		t.Errorf("%q at width %d: the standard error holds %s", args, width, bad)
	}
	if line := forged(r.err); line != "" {
		t.Errorf("%q at width %d: the standard error holds a forged line: %q", args, width, line)
	}
	if exact && width == 0 {
		return // bytes for programs
	}
	if bad := obeyed(r.out, width > 0); bad != "" {
		t.Errorf("%q at width %d: the standard output holds %s", args, width, bad)
	}
	if line := forged(r.out); line != "" && !exact {
		t.Errorf("%q at width %d: the standard output holds a forged line: %q", args, width, line)
	}
}

// printers are the commands that print what a database holds. Those that write data for
// programs are exact.
var printers = []struct {
	args  string
	exact bool
}{
	{"runs", false}, {"runs --json", false},
	{"show 1", false}, {"show 2", false}, {"show 4", false}, {"show 1 --full", false}, {"show 1 --all", false}, {"show 1 --all --json", false},
	{"show 1 first", false}, {"show 1 second", false}, {"show 1 first --json", false}, {"show 1 record", false}, {"show 1 nothing", false}, {"show nobody", false}, {"show", false},
	{"report 1", false}, {"report 1 2", false}, {"report 1 2 3 4 5", false}, {"report 4", false}, {"report 5", false}, {"report 1 2 --by-run --every-length", false},
	{"report 1 --format md", false}, {"report 1 2 4 --format md", false}, {"report 1 2 --format csv", true}, {"report 1 2 --format json", false},
	{"report 1 2 --format junit", false}, {"report 1 2 --format html", true}, {"report 1 2 --format latex", false},
	{"report 1 2 --group-by model,task", false}, {"report 1 2 --group-by label,outcome,served --format md", false}, {"report 1 2 --group-by run --format csv", false},
	{"report nobody", false}, {"report --preset simpe", false}, {"report --preset sortbench", false},
	{"compare 1 2", false}, {"compare 1 4", false}, {"compare 1 5", false}, {"compare 1 2 --format md", false}, {"compare 1 2 --format csv", false}, {"compare 1 2 --format json", false},
	{"aa --run 1", false}, {"aa --run nobody", false}, {"regrade 1", false}, {"regrade 2 --json", false}, {"check --baseline 1 --model sim:perfect", false}, {"check --baseline nobody", false},
	{"run --until-verdict --baseline 1 --model sim:perfect", false},
	{"export 1", true}, {"export 4", true}, {"export 1 --format csv", true}, {"export 1 --format inspect", false}, {"export 1 --format lm-eval", false}, {"export 1 --format simpe -o %DIR%", false},
	{"export 1 --format lm-eval -o %DIR%", false}, {"export 1 2 --format inspect -o %DIR%", false},
	{"__complete show ", false}, {"__complete report --baseline ", false}, {"plan --model sim:perfect", false}, {"check --baseline 1 --model sim:perfect --markdown -", false},
}

// TestHostileDatabase prints runs in which every text is hostile with every command that
// reads, on pipes and on a terminal: nothing of it is obeyed and no line is forged.
func TestHostileDatabase(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: nothing in this test runs concurrently")
	}
	for name, text := range map[string]string{"short": hostile, "long": hostile + strings.Repeat("0123456789", 1000)} {
		t.Run(name, func(t *testing.T) {
			for _, width := range []int{0, 120} {
				if !exhaustive.All() && (width == 0) != (name == "short") {
					continue // scripts/check has both widths for both
				}
				db := hostileDatabase(t, text)
				for i, c := range printers {
					if name == "long" && i%2 == 1 && !exhaustive.All() {
						continue
					}
					args := strings.Split(strings.ReplaceAll(c.args, "%DIR%", filepath.Join(t.TempDir(), "out")), " ")
					r := printed(t, db, width, args...)
					harmlessResult(t, r, width, c.exact, args)
					if r.code > Undecided && r.code != interrupted {
						t.Errorf("%q: exit code %d", args, r.code)
					}
					if r.out+r.err == "" {
						t.Errorf("%q prints nothing", args)
					}
				}
			}
		})
	}
}
