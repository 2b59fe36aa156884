package cli

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/exhaustive"
	"verbatim/internal/terminal"
)

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
