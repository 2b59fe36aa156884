package cli

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"verbatim/internal/report"
)

// A sentBody is the part of a chat request that a variant decides, and its limit.
type sentBody struct {
	Messages []struct{ Role, Content string }
	Limit    int `json:"max_tokens"`
}

// listening serves answers and remembers its requests.
func listening(t *testing.T) (url string, sent func() []sentBody) {
	t.Helper()
	var mu sync.Mutex
	var bodies []sentBody
	answer := answering("x")
	url = serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost { // a look at what the server serves
			http.NotFound(w, r)
			return
		}
		data, err := io.ReadAll(r.Body)
		var body sentBody
		if err == nil {
			err = json.Unmarshal(data, &body)
		}
		if err != nil {
			t.Errorf("the body: %v", err)
		}
		mu.Lock()
		bodies = append(bodies, body)
		mu.Unlock()
		answer(w, r)
	}))
	return url, func() []sentBody {
		mu.Lock()
		defer mu.Unlock()
		out := bodies
		bodies = nil
		return out
	}
}

// TestVariantIsSent wants the wire to carry what the flags say, in the run and in
// its warm-up, with the token limits of the bare items.
func TestVariantIsSent(t *testing.T) {
	t.Parallel()
	url, sent := listening(t)
	file := filepath.Join(t.TempDir(), "system.txt")
	if err := os.WriteFile(file, []byte("Be brief.\nBe exact.\r\n\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	limits := map[string]int{} // by question, of the bare items
	for _, test := range []struct {
		flags []string
		roles string // of the copies, then of the lists
		text  string // in the first message of every request
	}{
		{nil, "u su", ""},
		{[]string{"--shots", "2"}, "uauau suauau", ""},
		{[]string{"--system", "Be brief."}, "su su", "Be brief."},
		{[]string{"--system", "@" + file}, "su su", "Be brief.\nBe exact."},
		{[]string{"--no-system"}, "u u", ""},
		{[]string{"--no-system", "--shots", "1"}, "uau uau", ""},
	} {
		args := append([]string{"run", "-q", "--task", "copy,sort-int", "--length", "8", "--items", "2", "--model", url + "#m", "-j", "1", "--warmup", "2"}, test.flags...)
		if r := invoke(t, filepath.Join(t.TempDir(), "x.db"), args...); r.code != exitDone {
			t.Fatalf("%v: exit code %d: %s", test.flags, r.code, r.err)
		}
		bodies := sent()
		if len(bodies) != 6 {
			t.Fatalf("%v: %d requests", test.flags, len(bodies))
		}
		seen := map[string]bool{}
		for i, b := range bodies {
			var roles strings.Builder
			for _, m := range b.Messages {
				roles.WriteByte(m.Role[0])
			}
			question := b.Messages[len(b.Messages)-1].Content
			seen[roles.String()] = true
			if !strings.Contains(" "+test.roles+" ", " "+roles.String()+" ") {
				t.Errorf("%v: request %d has the roles %s", test.flags, i, roles.String())
			}
			if test.text != "" && b.Messages[0].Content != test.text {
				t.Errorf("%v: request %d begins with %q", test.flags, i, b.Messages[0].Content)
			}
			if i < 2 && !slices.Equal(b.Messages, bodies[i+2].Messages) {
				t.Errorf("%v: warm-up request %d is %+v, and the run's %+v", test.flags, i, b.Messages, bodies[i+2].Messages)
			}
			if test.flags == nil {
				limits[question] = b.Limit
			}
			if b.Limit == 0 || b.Limit != limits[question] {
				t.Errorf("%v: request %d has the limit %d, want %d", test.flags, i, b.Limit, limits[question])
			}
		}
		for _, roles := range strings.Fields(test.roles) {
			if !seen[roles] {
				t.Errorf("%v: no request has the roles %s", test.flags, roles)
			}
		}
	}
}

// TestNamesAreCompleted: flags that take one of a few names have them completed, and not the
// names of files.
func TestNamesAreCompleted(t *testing.T) {
	for line, want := range map[string]string{
		"run --metric": "extracted", "report --metric": "extracted", "compare --metric": "pass@2", "check --metric": "extracted", "aa --metric": "extracted", "horizon --metric": "extracted",
		"run --system-as": "user", "run --as": "tool", "compare --method": "signed-rank", "compare --across": "prompt", "items --layout": "sortbench", "fake --disobey": "temperature",
	} {
		r := invoke(t, filepath.Join(t.TempDir(), "x.db"), append(append([]string{"__complete"}, strings.Fields(line)...), "")...)
		if !strings.Contains("\n"+strings.ReplaceAll(r.out, "\t", "\n"), "\n"+want+"\n") || !strings.Contains(r.out, "\n:4\n") {
			t.Errorf("%s: %q", line, r.out)
		}
	}
}

// TestParaphraseCompletion wants the names of all paraphrases, each with a word on
// it.
func TestParaphraseCompletion(t *testing.T) {
	r := invoke(t, filepath.Join(t.TempDir(), "x.db"), "__complete", "run", "--paraphrase", "")
	lines := strings.Split(r.out, "\n")
	for i, name := range []string{"1", "2", "3"} {
		if got, doc, _ := strings.Cut(lines[i], "\t"); got != name || len(doc) < 10 || len(doc) > 100 {
			t.Errorf("line %d of %q", i+1, r.out)
		}
	}
}

// TestCompareAcrossPrompt: runs of one model that differ in their prompts only are compared
// with --across prompt.
func TestCompareAcrossPrompt(t *testing.T) {
	t.Parallel()
	db := filepath.Join(t.TempDir(), "x.db")
	for _, args := range [][]string{{"--model", "sim:careful"}, {"--model", "sim:careful", "--paraphrase", "1"}, {"--model", "sim:sloppy"}, {"--model", "sim:sloppy", "--paraphrase", "2"}} {
		got := invoke(t, db, append([]string{"run", "--task", "copy", "--length", "8,16", "--items", "10", "--quiet"}, args...)...)
		if got.code != exitDone {
			t.Fatalf("%v: %s", args, got.err)
		}
	}
	var doc report.Compared
	got := invoke(t, db, "compare", "1", "2", "--across", "prompt", "--json")
	if err := json.Unmarshal([]byte(got.out), &doc); err != nil || got.code != exitDone {
		t.Fatalf("%v: %s", err, got.err)
	}
	if c := doc.Comparisons[0]; c.Across != "prompt" || c.Items != 20 || c.B.Variant == nil || c.B.Variant.Paraphrase != "1" {
		t.Errorf("%+v", c)
	}
	if got := invoke(t, db, "compare", "1", "2", "--across", "prompt"); !strings.Contains(got.out, "sim:careful (paraphrase 1)") || !strings.Contains(got.out, "with these two prompts") {
		t.Errorf("the prompts are not named:\n%s", got.out)
	}
	for _, args := range [][]string{{"1", "2"}, {"1", "1"}, {"1", "3", "--across", "prompt"}, {"1", "2", "--across", "model"}, {"1", "2", "--across", "prompt", "--all-pairs"}} {
		if got := invoke(t, db, append([]string{"compare"}, args...)...); got.code != Usage || got.out != "" {
			t.Errorf("%v: exit code %d\n%s", args, got.code, got.err)
		}
	}
}

// TestParaphraseAll: --paraphrase all spreads the items over the wordings, and the report
// lists these.
func TestParaphraseAll(t *testing.T) {
	db := filepath.Join(t.TempDir(), "x.db")
	got := invoke(t, db, "run", "--model", "sim:sloppy", "--task", "copy,reverse", "--length", "8", "--items", "8", "--paraphrase", "all", "--quiet")
	if got.code != exitDone || !strings.Contains(got.out, "items spread over 4 wordings") {
		t.Fatalf("%s%s", got.out, got.err)
	}
	var doc report.Report
	got = invoke(t, db, "report", "last", "--json")
	if err := json.Unmarshal([]byte(got.out), &doc); err != nil {
		t.Fatal(err)
	}
	if b := doc.Runs[0]; len(b.Wordings) != 4 || b.Wordings[3].Exact.Of != 4 || b.Head.Variant.Paraphrase != "all:4" {
		t.Errorf("%+v, %+v", b.Wordings, b.Head.Variant)
	}
	if got := invoke(t, db, "run", "--model", "sim:sloppy", "--task", "copy,reverse", "--length", "8", "--items", "8", "--paraphrase", "all", "--quiet"); got.code != exitDone || !strings.Contains(got.out+got.err, "16") {
		t.Errorf("again: %s%s", got.out, got.err)
	}
}
