package cli

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
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

// TestHostileCompletion: a shell may evaluate what it is offered for completion.
func TestHostileCompletion(t *testing.T) {
	db := hostileDatabase(t, hostile+"$(touch pwned)")
	r := printed(t, db, 0, "__complete", "show", "")
	harmless := regexp.MustCompile(`^(:\d+|[A-Za-z0-9._][A-Za-z0-9._-]*\t.{1,90})$`)
	lines := strings.Split(strings.TrimSpace(r.out), "\n")
	if len(lines) != 7 {
		t.Errorf("%d lines are offered:\n%s", len(lines), r.out)
	}
	for _, line := range lines {
		if !harmless.MatchString(line) {
			t.Errorf("a shell is offered %q", line)
		}
	}
}

// quoted returns text as a JSON string.
func quoted(text string) string {
	b, err := json.Marshal(text)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// TestHostileServers runs against servers whose lists of models, errors, headers and
// replies are hostile.
func TestHostileServers(t *testing.T) {
	t.Parallel()
	long := hostile + strings.Repeat("0123456789", 1000)
	models := func(names ...string) string {
		var list []string
		for _, n := range names {
			list = append(list, `{"id":`+quoted(n)+`}`)
		}
		return `{"object":"list","data":[` + strings.Join(list, ",") + `]}`
	}
	header := "\u009b31m\x9b31m\u202e\u2028" // clients refuse other controls
	server := func(list string, code int, body string) string {
		return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			for _, name := range []string{"X-Request-Id", "X-RateLimit-Limit-Requests", "X-RateLimit-Reset-Tokens", "Server"} {
				w.Header()[name] = []string{header}
			}
			w.Header().Set("Content-Type", "application/json")
			switch {
			case strings.HasSuffix(r.URL.Path, "/models"):
				fmt.Fprint(w, list)
			case code == 200:
				answering(body)(w, r)
			default:
				w.WriteHeader(code)
				fmt.Fprint(w, body)
			}
		}))
	}
	failure := `{"error":{"message":` + quoted(long) + `,"type":` + quoted(hostile) + `,"code":` + quoted(hostile) + `}}`
	for name, url := range map[string]string{
		"two models":  server(models("\x1b[2J'$(id)\nFORGED", "b"+hostile), 200, long),
		"long models": server(models(long, "b"+long), 200, long),
		"one model":   server(models(hostile), 200, long),
		"no key":      server(models(hostile), 401, failure),
		"bad request": server(models("m"), 400, failure),
		"wait":        server(models("m"), 429, failure),
		"no list":     server(long, 404, long),
		"header": serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("X-Request-Id", strings.NewReplacer("\n", "", "\r", "").Replace(hostile))
			fmt.Fprint(w, models("m"))
		})),
	} {
		t.Run(name, func(t *testing.T) {
			host := strings.TrimPrefix(url, "http://")
			for n, width := range []int{0, 120} {
				if len(name)%2 != n && !exhaustive.All() {
					continue // scripts/check has both widths for all servers
				}
				db := filepath.Join(t.TempDir(), "x.db")
				for _, args := range [][]string{
					{"run", "--model", url + "/v1", "--task", "reverse", "--length", "8", "--items", "1", "--max-attempts", "1", "--deadline", "1s"},
					{"run", "--model", url + "/v1#" + strings.ReplaceAll(hostile, "\x00", ""), "--task", "reverse", "--length", "8", "--items", "1", "--max-attempts", "1", "--deadline", "1s"},
					{"run", "--model", url + "/v1", "--task", "reverse", "--length", "8", "--items", "1", "--json", "--max-attempts", "1", "--deadline", "1s"},
					{"show", "last"}, {"show", "last", "--full"}, {"report", "last"}, {"runs"},
				} {
					harmlessResult(t, printed(t, db, width, args...), width, false, args)
				}
				if name == "two models" {
					r := printed(t, db, width, "run", "--model", url+"/v1", "--task", "reverse", "--items", "1")
					if !strings.Contains(r.err, `such as --model $'`) || !strings.Contains(r.err, `\033[2J\'$(id)\012FORGED'`) {
						t.Errorf("the proposed name is not quoted for a shell: %s", r.err)
					}
				}
				found := printedAt(t, db, host, width, "models")
				harmlessResult(t, found, width, false, []string{"models"})
				run := []string{"run", "--task", "reverse", "--length", "8", "--items", "1", "--max-attempts", "1", "--deadline", "1s"}
				harmlessResult(t, printedAt(t, db, host, width, run...), width, false, run)
				harmlessResult(t, printedAt(t, db, hostile, width, "models"), width, false, []string{"models"})
			}
		})
	}
}

// TestHostileFiles gives hostile files to every command that reads any: on a terminal, and with
// VERBATIM_EXHAUSTIVE on pipes too.
func TestHostileFiles(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: nothing in this test runs concurrently")
	}
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return path
	}
	h := quoted(hostile)
	toml := strings.NewReplacer("\x00", "", "\x9b", "", "\x90", "").Replace(hostile)
	tomlText := quoted(toml)
	small, err := os.ReadFile("../../cmd/verbatim/testdata/small.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	spoiled := func(word string) string { return strings.ReplaceAll(string(small), `"`+word+`"`, h) }
	items := map[string]string{
		"whole":     `{"id":` + h + `,"messages":[{"role":"user","content":` + h + `}],"want":` + h + `,"facts":{` + h + `:` + h + `,"family":` + h + `,"length":` + h + `}}`,
		"prompt":    `{"prompt":` + h + `,"want":` + h + `}`,
		"twice":     `{"id":` + h + `,"prompt":"a","want":"b"}` + "\n" + `{"id":` + h + `,"prompt":"a","want":"b"}`,
		"field":     `{` + h + `:1}`,
		"grader":    `{"prompt":"a","want":"b","grader":` + h + `}`,
		"role":      `{"messages":[{"role":` + h + `,"content":"a"}],"want":"b"}`,
		"image":     `{"messages":[{"role":"user","content":[{"image":` + h + `}]}],"want":"b"}`,
		"no JSON":   hostile,
		"not UTF-8": "\x9b31m\xff",
	}
	var list [][]string
	for name, text := range items {
		path := write("items "+name+toml[:8]+".jsonl", text)
		list = append(list, []string{"run", "--items", path, "--model", "sim:sloppy", "--new"}, []string{"plan", "--items", path, "--model", "sim:sloppy"},
			[]string{"items", "--items", path}, []string{"grade", path}, []string{"show", "last"}, []string{"report", "last"})
	}
	for name, text := range map[string]string{
		"model":   "[models." + tomlText + "]\nurl = \"http://127.0.0.1:1/v1\"\nmodel = " + tomlText + "\n",
		"url":     "[models.a]\nurl = " + tomlText + "\n",
		"field":   tomlText + " = 1\n",
		"key":     "[models.a]\nurl = \"http://127.0.0.1:1/v1\"\nkey_env = " + tomlText + "\n",
		"no TOML": hostile,
	} {
		path := write(name+".toml", text)
		list = append(list, []string{"models", "--config", path}, []string{"models", "a", "--config", path}, []string{"run", "--config", path, "--model", "a", "--items", "1", "--max-attempts", "1"})
	}
	for name, text := range map[string]string{
		"names":   `{` + h + `:{"litellm_provider":` + h + `,"input_cost_per_token":1e-6,"output_cost_per_token":1e-6}}`,
		"no JSON": hostile, "other": `[` + h + `]`,
	} {
		list = append(list, []string{"models", "--prices", write("prices "+name+".json", text), "a"}, []string{"models", "--prices", write("prices "+name+".json", text)})
	}
	for _, word := range []string{"small-7998db-1", "http://127.0.0.1:8080/v1#small", "custom", "standard", "0.1.0", "sort-int@1/len=4/seed=1/0", "list/1", "stop", "small-q8", "sort-int",
		"11111111111111111111111111111111", "verbatim/store/1", "7998dbf18f10a09e45118796523cef4592daf98cb80f9643b98a70099d42d371", "d5881338abe9cb53", "record", "pass", "system", "Let me check"} {
		path := write("export "+fmt.Sprint(len(list))+".jsonl", spoiled(word))
		list = append(list, []string{"import", path}, []string{"report", path}, []string{"show", path}, []string{"runs"}, []string{"report", "last"})
	}
	list = append(list,
		[]string{"import", "simpe", write("result_x.json", `{"model":`+h+`,"results":[{"test":`+h+`,"prompt":`+h+`,"response":`+h+`}]}`)},
		[]string{"import", "simpe", write("result_y.json", hostile)},
		[]string{"import", "inspect", write("log.json", `{"version":2,"status":`+h+`,"eval":{"task":`+h+`,"model":`+h+`,"created":`+h+`,"dataset":{"name":`+h+`}},"samples":[{"id":`+h+`,"epoch":1,"input":`+h+`,"target":`+h+`,"output":{"model":`+h+`,"choices":[{"message":{"role":"assistant","content":`+h+`},"stop_reason":`+h+`}]},"scores":{`+h+`:{"value":`+h+`}}}]}`)},
		[]string{"import", "inspect", write("log2.json", hostile)},
		[]string{"import", "lm-eval", write("samples_t_2026-11-21T20-57-54.123456.jsonl", `{"doc_id":0,"doc":{`+h+`:`+h+`},"target":`+h+`,"arguments":{"gen_args_0":{"arg_0":`+h+`}},"resps":[[`+h+`]],"filtered_resps":[`+h+`],`+h+`:1}`)},
		[]string{"import", "sortbench", "--scores", write("scores.csv", "model,mode,type,list,score\n"+strings.Repeat(strings.ReplaceAll(toml, "\n", " ")+",", 4)+"1\n")},
		[]string{"import", "sortbench", dir}, []string{"import", write("nothing.jsonl", hostile)},
		[]string{"runs"}, []string{"report", "last"}, []string{"show", "last"},
		[]string{"run", "--model", strings.ReplaceAll(hostile, "\x00", ""), "--items", "1"}, []string{"run", "--task", hostile}, []string{"run", "--" + hostile}, []string{hostile},
		[]string{"tasks", hostile}, []string{"models", hostile}, []string{"show", hostile, hostile}, []string{"report", hostile, "--group-by", "fact:" + hostile}, []string{"report", "--format", hostile},
		[]string{"run", "--suite", hostile}, []string{"run", "--length", hostile}, []string{"run", "--edition", hostile}, []string{"run", "--model", "exec:" + hostile}, []string{"run", "--system", hostile, "--model", "sim:sloppy", "--items", "1"},
		[]string{"report", "last"}, []string{"compare", "1", "last"}, []string{"check", "--baseline", hostile}, []string{"--db", hostile, "runs"}, []string{"--db", dir + "/" + toml, "runs"},
	)
	widths := []int{120}
	if exhaustive.All() {
		widths = []int{0, 120}
	}
	for _, width := range widths {
		db := filepath.Join(t.TempDir(), "x.db")
		for _, args := range list {
			exact := args[0] == "items" || args[0] == "grade"
			harmlessResult(t, printed(t, db, width, args...), width, exact, args)
		}
	}
}
