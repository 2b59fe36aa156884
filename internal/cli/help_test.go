package cli

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/errkind"
	"verbatim/internal/exhaustive"
	"verbatim/internal/redact"
	"verbatim/internal/terminal"
)

// TestHelp holds the help of every command to the width of a terminal.
func TestHelp(t *testing.T) {
	n := 0
	visit(rootCommand(&Env{Getenv: func(string) string { return "" }}), func(c *cobra.Command) {
		n++
		path := c.CommandPath()
		if c.Long == "" || c.Example == "" {
			t.Errorf("%s: a command has a long text and examples", path)
		}
		for line := range strings.Lines(c.Example) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > helpWidth {
				t.Errorf("%s --help: an example that is broken cannot be copied: %s", path, line)
			}
		}
		for line := range strings.Lines(helpOf(t, c)) {
			if line = strings.TrimRight(line, "\n"); utf8.RuneCountInString(line) > helpWidth {
				t.Errorf("%s --help: a line of more than %d columns: %s", path, helpWidth, line)
			}
		}
	})
	if n < 10 {
		t.Errorf("only %d commands were found", n)
	}
}

// visit calls f for a command and those below it, without those that cobra adds.
func visit(c *cobra.Command, f func(*cobra.Command)) {
	f(c)
	for _, sub := range c.Commands() {
		if sub.Name() != "help" && sub.Name() != "completion" {
			visit(sub, f)
		}
	}
}

// helpOf returns what `verbatim COMMAND --help` prints.
func helpOf(t *testing.T, c *cobra.Command) string {
	t.Helper()
	args := append(strings.Fields(c.CommandPath())[1:], "--help")
	got := invoke(t, "", args...)
	if got.code != exitDone || !strings.Contains(got.out, "Usage:") {
		t.Fatalf("%q ends with exit code %d and prints %q", args, got.code, got.out)
	}
	return got.out
}

// The lines of a paragraph become one; those of tables and commands stay.
func TestJoinLines(t *testing.T) {
	const text = "One line\nand its end.\n\n  in   a\n  out  b\n\nThen run:\n\tverbatim run\nand read\non."
	const want = "One line and its end.\n\n  in   a\n  out  b\n\nThen run:\n\tverbatim run\nand read on."
	if got := joinLines(text); got != want {
		t.Errorf("%q\nwant %q", got, want)
	}
}

// onTerminal runs a command line on a terminal of this width.
func onTerminal(db string, width int, args ...string) ran {
	var out, talk bytes.Buffer
	env := Env{
		In: strings.NewReader(""), Out: &out, Err: &talk, OutWidth: width, ErrWidth: width,
		Getenv: func(name string) string {
			return map[string]string{"VERBATIM_DISCOVER": "off", "VERBATIM_DB": db, "NO_COLOR": "1", "TERM": "dumb"}[name]
		},
		Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} },
	}
	code := Main(args, env)
	return ran{code, out.String(), talk.String()}
}

// TestWidth: on a terminal no line of a table, a note or the help is longer than it is wide.
func TestWidth(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("it runs one command after the other")
	}
	db := filepath.Join(t.TempDir(), "v.db")
	long := "sim:sloppy?latency=1ms&seed=4&half=9&slope=1.5"
	for _, args := range [][]string{
		{"run", "-q", "-t", "reverse", "-l", "8,16", "-n", "5", "-m", "sim:sloppy", "-m", "sim:careful"},
		{"run", "-q", "-t", "reverse", "-l", "8,16", "-n", "5", "-m", long, "--shots", "2"},
	} {
		if got := invoke(t, db, args...); got.code != exitDone {
			t.Fatal(got.err)
		}
	}
	commands := [][]string{{"runs"}, {"models"}, {"models", "openai"}, {"models", "sim"}, {"models", "nano"}, {"tasks"}, {"suites"}, {"plan"}, {"plan", "-m", long}, {"show", "1"}, {"show", "1", "--all"}, {"selfcheck", "-n", "1"},
		{"report", "1"}, {"report", "1", "2", "3"}, {"compare", "1", "2"}, {"compare", "1", "2", "3"}}
	visit(rootCommand(&Env{Getenv: func(string) string { return "" }}), func(c *cobra.Command) {
		commands = append(commands, append(strings.Fields(c.CommandPath())[1:], "--help"))
	})
	widths := []int{60, 120}
	if exhaustive.All() {
		widths = []int{60, 80, 120}
	}
	for _, width := range widths {
		for _, args := range commands {
			got := onTerminal(db, width, args...)
			for line := range strings.Lines(got.out + got.err) {
				line = strings.TrimPrefix(line, "\r\x1b[K") // a note takes the place of the meter's line
				if line = strings.TrimRight(line, "\n"); terminal.Width(line) > width && strings.Contains(strings.TrimSpace(line), " ") {
					t.Errorf("%v in %d columns: %q", args, width, line)
				}
			}
		}
	}
	if got := onTerminal(db, 80, "runs"); !strings.Contains(got.out, "sim:careful") || !strings.Contains(got.out, "model") {
		t.Errorf("runs names no models:\n%s", got.out)
	}
}

// TestHelpGroups: the help of run lists each flag once, in groups, and rarely used ones last.
func TestHelpGroups(t *testing.T) {
	help := invoke(t, "", "run", "--help").out
	at := 0
	for _, want := range []string{"What is asked:", "--suite", "Which model, and how:", "--model", "How much:", "--budget", "Statistics:", "--until-verdict", "Output:", "--json", "--db", "Rarely used:", "--warmup"} {
		i := strings.Index(help[at:], want)
		if i < 0 {
			t.Fatalf("%q is not in its place in\n%s", want, help)
		}
		at += i
	}
	root := rootCommand(&Env{Getenv: func(string) string { return "" }})
	run, _, err := root.Find([]string{"run"})
	if err != nil {
		t.Fatal(err)
	}
	run.LocalFlags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden && !strings.Contains(help, " --"+f.Name+" ") {
			t.Errorf("--%s is not in the help", f.Name)
		}
	})
}

// TestPlanWithoutTerminal: in a pipe no line of plan is longer than 80 columns.
func TestPlanWithoutTerminal(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{
		{"plan", "-s", "sortbench", "-m", "openai:gpt-4o-mini", "-m", "sim:sloppy?latency=1ms&seed=4&half=9&slope=1.5"},
		{"plan", "-t", "reverse", "-l", "8", "-n", "60", "-m", "openai:gpt-4o-mini", "--budget", "0.01"},
	} {
		got := invoke(t, filepath.Join(t.TempDir(), "v.db"), args...)
		if got.code != exitDone || !strings.Contains(got.out, "equivalent within") {
			t.Fatalf("%v: exit code %d: %s%s", args, got.code, got.out, got.err)
		}
		if price := "a million tokens cost $0.15 in and $0.60 out"; !strings.Contains(strings.Join(strings.Fields(got.out), " "), price) {
			t.Errorf("%v: no %q in\n%s", args, price, got.out)
		}
		for line := range strings.Lines(got.out) {
			if line = strings.TrimRight(line, "\n"); terminal.Width(line) > 80 {
				t.Errorf("%v: %q", args, line)
			}
		}
	}
}

// TestHintInWidth: a hint is broken between words on a terminal. A command at its end stays in
// one piece, on a line of its own.
func TestHintInWidth(t *testing.T) {
	const text, command = "raise the limit, or go on all the same with --keep-going, or give the model a second chance", "verbatim run --model 'http://127.0.0.1:8080/v1#m' --task copy --items 10 --reasoning-tokens 65536"
	f := Failure{Err: errors.New("it failed"), Hint: text + ": " + command}
	var narrow, wide strings.Builder
	f.Print(&narrow, 60, false, redact.Redactor{})
	f.Print(&wide, 0, false, redact.Redactor{})
	if want := "verbatim: hint: " + f.Hint + "\n"; !strings.HasSuffix(wide.String(), want) {
		t.Errorf("without a terminal:\n%s", wide.String())
	}
	lines := strings.Split(strings.TrimSuffix(narrow.String(), "\n"), "\n")
	if last := lines[len(lines)-1]; last != "  "+command {
		t.Errorf("the last line is %q", last)
	}
	for _, line := range lines[:len(lines)-1] {
		if !terminal.Fits(line, 60) {
			t.Errorf("%q does not fit 60 columns", line)
		}
	}
}

// The error of a command says why it ended. Only one that could not be started gets the hint
// about its name.
func TestCommandErrors(t *testing.T) {
	h := &fakeHost{}
	if err := h.Listen(http.NotFoundHandler(), 0); err != nil {
		t.Fatal(err)
	}
	defer h.Close()
	for _, c := range []struct {
		words      []string
		says, hint string
	}{
		{[]string{"sh", "-c", "kill -9 $$"}, "sh: signal: killed", ""},
		{[]string{"no-such-program"}, "no-such-program", "without a shell"},
	} {
		err := h.Run(context.Background(), hostedCommand{Words: c.words})
		var kind *errkind.Error
		if !errors.As(err, &kind) || !strings.Contains(err.Error(), c.says) || !strings.Contains(kind.Hint, c.hint) || c.hint == "" && kind.Hint != "" {
			t.Errorf("%q: %v, hint %+v", c.words, err, kind)
		}
	}
	var code hostedExitCode
	if err := h.Run(context.Background(), hostedCommand{Words: []string{"sh", "-c", "exit 3"}}); !errors.As(err, &code) || code != 3 {
		t.Errorf("%v", err)
	}
}
