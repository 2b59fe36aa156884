package cli

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/exhaustive"
)

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
