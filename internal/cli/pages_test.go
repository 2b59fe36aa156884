package cli

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/itchyny/gojq"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/exhaustive"
	"verbatim/internal/model"
)

var update = flag.Bool("update", false, "write again what docs/report.md shows; read the difference before you commit it")

// TestReportPage runs the commands that docs/report.md shows with a "$", on the runs
// that it names, and wants below each what it prints.
func TestReportPage(t *testing.T) {
	if testing.Short() {
		t.Skip("-short: what runs side by side in it has tests of its own")
	}
	path := filepath.Join("..", "..", "docs", "report.md")
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "x.db")
	if got := invoke(t, db, "import", filepath.Join("..", "..", "cmd", "verbatim", "testdata", "small.jsonl")); got.code != exitDone {
		t.Fatalf("the runs cannot be imported: %s", got.err)
	}
	var out strings.Builder
	rest, n := string(page), 0
	printed := make(map[string]string) // by command: some are run through several filters
	for {
		before, after, found := strings.Cut(rest, "    $ verbatim ")
		out.WriteString(before)
		if !found {
			break
		}
		n++
		command, shown, _ := strings.Cut(after, "\n")
		ours, filter, piped := strings.Cut(command, " | jq ")
		if _, known := printed[ours]; !known {
			got := invoke(t, db, strings.Fields(ours)...)
			if got.code != exitDone {
				t.Fatalf("%s: exit code %d: %s", ours, got.code, got.err)
			}
			printed[ours] = got.out
		}
		want := printed[ours]
		if piped {
			want = filtered(t, want, filter)
		}
		want = indented(want)
		out.WriteString("    $ verbatim " + command + "\n\n" + want + "\n")
		was := regexp.MustCompile(`^\n(\n*    .*\n)*`).FindString(shown)
		if strings.TrimSpace(was) != strings.TrimSpace(want) && !*update {
			t.Errorf("docs/report.md shows below %q\n%s\nand it prints\n%s", command, was, want)
		}
		rest = strings.TrimLeft(shown[len(was):], "\n")
	}
	if n < 5 {
		t.Errorf("docs/report.md shows %d commands with what they print", n)
	}
	if *update {
		if err := os.WriteFile(path, []byte(out.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

func indented(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if line != "\n" {
			line = "    " + line
		}
		b.WriteString(line)
	}
	return b.String()
}

// filtered does what jq does with a filter in single quotes, after -r or -c or without
// an option.
func filtered(t *testing.T, document, filter string) string {
	t.Helper()
	how := ""
	if strings.HasPrefix(filter, "-") {
		how, filter, _ = strings.Cut(filter, " ")
	}
	filter = strings.Trim(filter, "'")
	var v any
	if err := json.Unmarshal([]byte(document), &v); err != nil {
		t.Fatal(err)
	}
	query, err := gojq.Parse(filter)
	if err != nil {
		t.Fatalf("%s: %v", filter, err)
	}
	var out bytes.Buffer
	values := query.Run(v)
	for range 1000 {
		v, more := values.Next()
		if !more {
			break
		}
		if err, failed := v.(error); failed {
			t.Fatalf("%s: %v", filter, err)
		}
		text, err := gojq.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		s, isText := v.(string)
		switch {
		case how == "-r" && isText:
			fmt.Fprintln(&out, s)
		case how == "-c" || how == "-r":
			fmt.Fprintf(&out, "%s\n", text)
		case how == "":
			if err := json.Indent(&out, text, "", "  "); err != nil {
				t.Fatal(err)
			}
			out.WriteString("\n")
		default:
			t.Fatalf("docs/report.md uses jq %s, which this test does not know", how)
		}
	}
	return out.String()
}

// TestReportColumns wants every column of the CSV on the page that describes them.
func TestReportColumns(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "report.md"))
	if err != nil {
		t.Fatal(err)
	}
	db := filepath.Join(t.TempDir(), "x.db")
	invoke(t, db, "import", filepath.Join("..", "..", "cmd", "verbatim", "testdata", "small.jsonl"))
	got := invoke(t, db, "report", "1", "--format", "csv")
	head, _, _ := strings.Cut(got.out, "\n")
	columns := strings.Split(head, ",")
	if len(columns) < 20 {
		t.Fatalf("the header is %q", head)
	}
	for _, c := range columns {
		if !strings.Contains(string(page), "`"+c+"`") {
			t.Errorf("docs/report.md does not say what the column %s is", c)
		}
	}
}

// TestReadmeTable wants the table that the README begins with to be the report of the
// saved run of a real model, and the command above it to be the command of that run.
func TestReadmeTable(t *testing.T) {
	readme, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, example, ok := strings.Cut(string(readme), "    $ verbatim ")
	if !ok {
		t.Fatal("the README shows no command with its output")
	}
	command, rest, _ := strings.Cut(example, "\n")
	var table []string
	for line := range strings.Lines(strings.TrimLeft(rest, "\n")) {
		line, indented := strings.CutPrefix(line, "    ")
		if !indented && strings.TrimSpace(line) != "" {
			break
		}
		table = append(table, line)
	}
	if len(table) < 10 {
		t.Fatalf("the README shows %d lines of a table", len(table))
	}
	db := filepath.Join(t.TempDir(), "x.db")
	invoke(t, db, "import", filepath.Join("..", "..", "cmd", "verbatim", "testdata", "smollm2.jsonl"))
	got := invoke(t, db, "report", "last")
	if want := strings.TrimSpace(strings.Join(table, "")); got.code != exitDone || !strings.Contains(got.out, want) {
		t.Errorf("report prints with exit code %d\n%s%s\nand the README shows\n%s", got.code, got.out, got.err, want)
	}
	if r := invoke(t, db, append(strings.Fields(command), "--model", "sim:perfect", "--quiet")...); r.code != exitDone {
		t.Fatalf("%s: exit code %d\n%s", command, r.code, r.err)
	}
	var saved struct{ Runs []struct{ Plan string } }
	if err := json.Unmarshal([]byte(invoke(t, db, "runs", "--json").out), &saved); err != nil || len(saved.Runs) != 2 {
		t.Fatalf("%d runs, %v", len(saved.Runs), err)
	}
	if runs := saved.Runs; runs[0].Plan != runs[1].Plan {
		t.Errorf("the command in the README has the plan %s, and the table above it %s", runs[1].Plan, runs[0].Plan)
	}
}

// TestLocalServersAreNamed wants every text that says which servers are looked for to
// name all of them.
func TestLocalServersAreNamed(t *testing.T) {
	page := func(path ...string) string {
		text, err := os.ReadFile(filepath.Join(append([]string{"..", ".."}, path...)...))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
	places := map[string]string{
		"README.md":          page("README.md"),
		"docs/real-model.md": page("docs", "real-model.md"),
		"run --help":         invoke(t, "", "run", "--help").out,
		"models":             invoke(t, "", "models").out,
	}
	local := 0
	for _, p := range model.Providers() {
		if !p.Local {
			continue
		}
		local++
		for place, text := range places {
			if !strings.Contains(strings.Join(strings.Fields(text), " "), p.Title) {
				t.Errorf("%s does not name %s", place, p.Title)
			}
		}
	}
	if local == 0 {
		t.Error("no server is looked for")
	}
}

var (
	// shownCommand matches a command of this program in a line of code, alone or after a pipe.
	shownCommand = regexp.MustCompile(`(?:^|\$ |\| |run: |-- )(?:go run \./cmd/)?verbatim (.*)$`)
	// inlineCommand matches a command of this program in running text.
	inlineCommand = regexp.MustCompile("`verbatim ([^`]*)`")
	// endOfCommand matches what follows a command on a line: a comment, a pipe, a file, an explanation after a gap.
	endOfCommand = regexp.MustCompile(`\s{2,}.*$|\s+#.*$|\s[|>;&].*$|\\$`)
)

// TestShownCommands reads every command that a page or a help shows, as the program does: it
// has such a command, such flags with such values, and so many arguments.
func TestShownCommands(t *testing.T) {
	n := 0
	for _, pattern := range []string{"*.md", "docs/*.md"} {
		paths, err := filepath.Glob(filepath.Join("..", "..", filepath.FromSlash(pattern)))
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			text, err := os.ReadFile(path)
			if err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(string(text)) {
				list, inline := commandsIn(line)
				for _, shown := range list {
					n++
					if fault := faultOf(shown, inline); fault != "" {
						t.Errorf("%s: verbatim %s: %s", filepath.Base(path), shown, fault)
					}
				}
			}
		}
	}
	visit(commandTree(), func(c *cobra.Command) {
		for line := range strings.Lines(c.Example) {
			list, _ := commandsIn("    " + strings.TrimSpace(line))
			for _, shown := range list {
				n++
				if fault := faultOf(shown, false); fault != "" {
					t.Errorf("%s --help: verbatim %s: %s", c.CommandPath(), shown, fault)
				}
			}
		}
	})
	if n < 300 {
		t.Errorf("only %d commands were found", n)
	}
}

// TestShownCommandsShowsFaults: the parts of TestShownCommands see what they look for.
func TestShownCommandsShowsFaults(t *testing.T) {
	for line, want := range map[string]string{
		"    verbatim compare --across prompt   # both":      `"verbatim compare" needs an argument`,
		"    $ verbatim runs --verfy | head":                 "unknown flag: --verfy",
		"| a | `verbatim rum` |":                             `there is no command "rum"`,
		"      - run: verbatim run --items":                  "--items needs a value",
		"    verbatim fake --echo -- verbatim run -j no":     "--concurrency must be",
		"    verbatim verify vllm:a vlm:a":                   "there is no provider vlm",
		"    verbatim run -m sim:careful -m vlm:a":           "there is no provider vlm",
		"    verbatim report last > x":                       "",
		"text with verbatim rum in it":                       "",
		"    verbatim run -m 'exec:python3 my.py' -n 3":      "",
		"`verbatim check … --on-inconclusive pass`":          "",
		"    verbatim fake --fault 500:0.3 -- curl -s {url}": "",
	} {
		got := ""
		list, inline := commandsIn(line)
		for _, shown := range list {
			if got == "" {
				got = faultOf(shown, inline)
			}
		}
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %q", line, got, want)
		}
	}
}

// commandTree returns the root command without an environment.
func commandTree() *cobra.Command {
	return rootCommand(&Env{Getenv: func(string) string { return "" }})
}

// commandsIn returns the commands of this program that a line of a page shows, without its
// name, and whether they are in running text.
func commandsIn(line string) (list []string, inline bool) {
	line = strings.TrimRight(line, "\n")
	if strings.HasPrefix(line, "    ") {
		if m := shownCommand.FindStringSubmatch(strings.TrimSpace(line)); m != nil {
			list = append(list, m[1])
		}
		return list, false
	}
	for _, m := range inlineCommand.FindAllStringSubmatch(line, -1) {
		list = append(list, m[1])
	}
	return list, true
}

// faultOf says why the program would refuse a command line before it does anything; "" if it
// would not. A line with an ellipsis is not whole, and a command in running text may be a name
// alone.
func faultOf(line string, name bool) string {
	if strings.Contains(line, "…") || strings.Contains(line, "...") {
		return ""
	}
	words, err := model.SplitCommand(endOfCommand.ReplaceAllString(line, ""))
	if err != nil {
		return err.Error()
	}
	if i := slices.Index(words, "--"); i >= 0 {
		if i+1 < len(words) && words[i+1] == "verbatim" {
			if fault := faultOfWords(words[i+2:], name); fault != "" {
				return fault
			}
		}
		words = words[:i]
	}
	return faultOfWords(words, name)
}

func faultOfWords(words []string, name bool) string {
	c, rest, err := commandTree().Find(words)
	if err != nil {
		return err.Error()
	}
	c.InitDefaultVersionFlag()
	if err := c.ParseFlags(rest); errors.Is(err, pflag.ErrHelp) {
		return ""
	} else if err != nil {
		return c.FlagErrorFunc()(c, err).Error()
	}
	if err := checkValues(c); err != nil {
		return err.Error()
	}
	args := c.Flags().Args()
	if version := c.Flags().Lookup("version"); len(args) == 0 && (name || version != nil && version.Changed) {
		return ""
	}
	if err := c.ValidateArgs(args); err != nil {
		return err.Error()
	}
	names, _ := c.Flags().GetStringArray("model")
	switch c.Name() {
	case "verify", "preflight", "smoke", "init":
		names = append(names, args...)
	}
	for _, name := range names {
		scheme, rest, ok := strings.Cut(name, ":")
		if _, known := model.FindProvider(scheme); ok && !known && scheme != "sim" && scheme != "exec" && !strings.HasPrefix(rest, "//") && !strings.HasPrefix(name, "{") {
			return "there is no provider " + scheme
		}
	}
	return ""
}

// small imports two runs and returns the database.
func small(t *testing.T) string {
	t.Helper()
	db := filepath.Join(t.TempDir(), "x.db")
	if r := invoke(t, db, "import", filepath.Join("..", "..", "cmd", "verbatim", "testdata", "small.jsonl")); r.code != exitDone {
		t.Fatal(r.err)
	}
	return db
}

// TestPageOfATerminal: a page goes to a file or a pipe, never to a terminal.
func TestPageOfATerminal(t *testing.T) {
	db := small(t)
	for _, c := range []struct {
		width int
		args  string
		code  int
		page  bool // on the standard output
	}{
		{80, "report 1 --format html", Usage, false},
		{80, "report 1 --format html -o -", Usage, false},
		{80, "report 1 --format html -o page.html", exitDone, false},
		{0, "report 1 --format html", exitDone, true},
		{0, "report 1 --format html -o -", exitDone, true},
	} {
		t.Chdir(t.TempDir())
		var out, errs bytes.Buffer
		code := Main(strings.Fields(c.args), Env{In: strings.NewReader(""), Out: &out, Err: &errs, OutWidth: c.width,
			Getenv: func(name string) string {
				return map[string]string{"VERBATIM_DISCOVER": "off", "VERBATIM_DB": db}[name]
			},
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} }})
		if code != c.code || strings.Contains(out.String(), "<html") != c.page || code == Usage && !strings.Contains(errs.String(), "-o report.html") {
			t.Errorf("%s, width %d: exit code %d, %d bytes, %s", c.args, c.width, code, out.Len(), errs.String())
		}
		if _, err := os.Stat("page.html"); (err == nil) != strings.Contains(c.args, "page.html") {
			t.Errorf("%s: the file: %v", c.args, err)
		}
	}
}

// TestShownOutputs: the outputs that pages show of simulated models are those that their
// commands print. It compares words, and not the spaces between them.
func TestShownOutputs(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		page, first string // the block of the page that begins so
		commands    string // one a line; the last one prints it
		long        bool   // left to the step exhaustive of scripts/check
	}{
		{"horizon.md", "reverse: right half of the time up to 28", "horizon --task reverse --model sim:sloppy -j 1", false},
		{"horizon.md", "reverse: right not more than half", "horizon --task reverse --model sim:sloppy?error=0.7 -j 1", false},
		{"check.md", "WORSE", "run --task reverse,sort-int --length 4..16 --items 40 --model sim:sloppy\ncheck --baseline 1 --model sim:sloppy?down=0&reverse=4 -j 1", false},
		{"guide.md", "model               requests", "plan --suite sortbench --model openai:gpt-4o-mini", false},
		{"aa.md", "items    120 with two answers", "aa sim:sloppy --task reverse --items 20", true},
		{"verify.md", "DIFFER  1 of 2 endpoints", "verify sim:careful sim:careful?seed=2 sim:sloppy", true},
	} {
		if test.long && !exhaustive.All() {
			continue
		}
		db, printed := filepath.Join(t.TempDir(), "v.db"), ran{}
		for line := range strings.SplitSeq(test.commands, "\n") {
			printed = invoke(t, db, strings.Fields(line)...)
		}
		got := strings.Join(strings.Fields(printed.out), " ")
		block := blockOf(t, test.page, test.first)
		for _, line := range block {
			if !strings.Contains(got, strings.Join(strings.Fields(line), " ")) {
				t.Errorf("docs/%s shows of verbatim %s\n%s\nwhich it does not print:\n%s%s", test.page, test.commands, line, printed.out, printed.err)
			}
		}
	}
}

// blockOf returns the lines of the block of code on a page whose first line begins so.
func blockOf(t *testing.T, page, first string) (lines []string) {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", page))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		code, indented := strings.CutPrefix(strings.TrimRight(line, "\n"), "    ")
		if len(lines) == 0 && !(indented && strings.HasPrefix(code, first)) {
			continue
		}
		if !indented && code != "" {
			break
		}
		if code != "" && !strings.Contains(code, "verbatim ") { // a command depends on the database
			lines = append(lines, code)
		}
	}
	if len(lines) == 0 {
		t.Fatalf("docs/%s shows no block that begins with %q", page, first)
	}
	return lines
}
