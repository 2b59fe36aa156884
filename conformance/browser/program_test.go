package browser

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode"
)

// absent skips the test, or fails it if a browser is required.
func absent(t *testing.T, format string, args ...any) {
	t.Helper()
	if os.Getenv("VERBATIM_BROWSER") == "require" {
		t.Fatalf(format, args...)
	}
	t.Skipf(format, args...)
}

// chromium finds the browser.
func chromium(t *testing.T) string {
	t.Helper()
	for _, name := range []string{"chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	absent(t, "Chromium is not here")
	return ""
}

// axe returns the source of axe-core, in the version that package-lock.json names.
func axe(t *testing.T) string {
	t.Helper()
	path := filepath.Join("..", "node_modules", "axe-core", "axe.min.js")
	source, err := os.ReadFile(path)
	if err == nil {
		return string(source)
	}
	cmd := exec.Command("npm", "ci", "--silent", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir = ".."
	if out, err := cmd.CombinedOutput(); err != nil {
		absent(t, "axe-core cannot be installed: %v\n%s", err, out)
	}
	if source, err = os.ReadFile(path); err != nil {
		t.Fatal(err)
	}
	return string(source)
}

// A program is verbatim, built from this checkout, with a folder to work in.
type program struct{ path, dir string }

func newProgram(t *testing.T) program {
	t.Helper()
	dir := t.TempDir()
	p := program{filepath.Join(dir, "verbatim"), dir}
	cmd := exec.Command("go", "build", "-o", p.path, "./cmd/verbatim")
	cmd.Dir = filepath.Join("..", "..")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	if _, err := p.run(t, "report", "--format", "html"); err != nil && strings.Contains(err.Error(), "no format") {
		absent(t, "this program writes no page: %v", err)
	}
	return p
}

// run calls the program with the database of its folder. Exit code 1, if items have
// no answer, is no error here.
func (p program) run(t *testing.T, args ...string) ([]byte, error) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 3*time.Minute)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.path, args...)
	cmd.Dir = p.dir
	cmd.Env = append(os.Environ(), "XDG_CONFIG_HOME="+p.dir, "VERBATIM_DISCOVER=off", "VERBATIM_DB="+filepath.Join(p.dir, "v.db"))
	var output bytes.Buffer
	cmd.Stderr = &output
	out, err := cmd.Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.ExitCode() == 1 && args[0] == "run" {
		err = nil
	}
	if err != nil {
		err = errors.New(err.Error() + ": " + output.String())
	}
	return out, err
}

func (p program) must(t *testing.T, args ...string) []byte {
	t.Helper()
	out, err := p.run(t, args...)
	if err != nil {
		t.Fatalf("verbatim %s: %v", strings.Join(args, " "), err)
	}
	return out
}

// page writes the page of runs, and returns its file.
func (p program) page(t *testing.T, name string, runs ...string) string {
	t.Helper()
	file := filepath.Join(p.dir, name+".html")
	p.must(t, append([]string{"report", "--format", "html", "-o", file}, runs...)...)
	return file
}

// first makes the page of a first run: one model, one item of each length.
func (p program) first(t *testing.T) string {
	t.Helper()
	p.must(t, "run", "--quiet", "--model", "nano")
	return p.page(t, "first", "last")
}

// simulated makes the page of three models of which one has outages.
func (p program) simulated(t *testing.T) string {
	t.Helper()
	args := []string{"run", "--quiet", "--task", "reverse,sort-int", "--length", "8,32", "--items", "6", "--reasoning-tokens", "3000", "--max-attempts", "2", "-j", "16"}
	for _, m := range []string{"sim:careful?half=60&think=200", "sim:sloppy?down=0.3&half=40&latency=2ms", "sim:sloppy?half=12&seed=2&think=100"} {
		args = append(args, "--model", m)
	}
	p.must(t, args...)
	return p.page(t, "simulated", "1", "2", "3")
}

// published makes the pages of the published scores, as a report and as the study;
// none if the scores are not here.
func (p program) published(t *testing.T) []string {
	t.Helper()
	scores, err := filepath.Abs(filepath.Join("..", "..", "..", "shared", "oracle", "sortbench-v1.0", "published_scores.csv.gz"))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(scores); err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatalf("the published scores are required: %v", err)
		}
		t.Logf("the published scores are not here: %v", err)
		return nil
	}
	own := program{p.path, t.TempDir()}
	own.must(t, "import", "sortbench", "--scores", scores)
	runs := []string{"1", "2", "3", "4", "5", "6", "7"}
	return []string{own.page(t, "published", runs...), own.page(t, "study", append(runs, "--preset", "sortbench")...)}
}

// attacks are hostile texts for replies, names and ids.
func attacks() []string {
	return []string{
		`<script>window.ran='script'</script>`,
		`</title></style></script><script>window.ran='end tags'</script>`,
		`<img src=x onerror="window.ran='image'">`,
		`<svg onload="window.ran='svg'"><a xlink:href="javascript:window.ran='link'">x</a></svg>`,
		`" autofocus onfocus="window.ran='attribute'" x="`,
		`<base href="http://127.0.0.1:9/"><link rel=stylesheet href="http://127.0.0.1:9/x.css"><style>*{display:none}</style>`,
		`<iframe srcdoc="<script>parent.ran='frame'</script>"></iframe><meta http-equiv=refresh content="0;url=http://127.0.0.1:9/">`,
		`{{.Policy}} {{template "report" .}} ${window.ran='template'} <!-- --> ]]>`,
		"\u202eright to left\u202c \u2066isolated\u2069 \u200b\u200f\ufeff\u2028",
		"\x1b]0;owned\x07\x1b[31mred\x1b[2J\x00\x08\r\n\t",
		strings.Repeat("W", 5000),
		strings.Repeat("🧨", 300) + strings.Repeat("á̂̃̄", 50),
	}
}

// id returns the part of a text that is allowed in an id: only visible characters, and
// at most 900 bytes.
func id(text string) string {
	text = strings.Map(func(r rune) rune {
		if !unicode.IsGraphic(r) || unicode.Is(unicode.Cf, r) {
			return -1
		}
		return r
	}, text)
	return strings.ToValidUTF8(text[:min(len(text), 900)], "")
}

// hostile makes the page of a program whose items are attacks, and whose replies are
// attacks, too; one has 10 MB.
func (p program) hostile(t *testing.T) string {
	t.Helper()
	p.dir = t.TempDir()
	file := func(name, text string) {
		if err := os.WriteFile(filepath.Join(p.dir, name), []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	quote := func(v any) string {
		out, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		return string(out)
	}
	var items strings.Builder
	for i, a := range attacks() {
		items.WriteString(quote(map[string]any{
			"id": id(a) + string(rune('a'+i)), "prompt": "Repeat: " + a, "want": "[" + a + "]",
			"facts": map[string]string{"family": attacks()[i%4], "length": "8"},
		}) + "\n")
		file("reply"+strconv.Itoa(i), quote(map[string]any{"text": attacks()[(i+1)%len(attacks())], "reasoning": a, "finish_reason": "stop"})+"\n")
	}
	file("reply3", quote(map[string]any{"text": strings.Repeat("<b onclick=x>", 10<<20/13)})+"\n")
	file("items.jsonl", items.String())
	file("model.sh", "i=0\nwhile IFS= read -r question; do\n\tcat reply$i\n\ti=$(((i + 1) % "+strconv.Itoa(len(attacks()))+"))\ndone\n")
	for _, name := range []string{`sh model.sh '<script>window.ran="name"</script>'`, `sh model.sh '" onmouseover="window.ran=1'`} {
		p.must(t, "run", "--quiet", "--items", "items.jsonl", "--trials", "2", "--model", "exec:"+name, "-j", "1", "--max-attempts", "1", "--max-reply", "16777216")
	}
	return p.page(t, "hostile", "1", "2")
}
