package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/exhaustive"
)

// flagBases make each command a valid one that is quick, before a flag is added.
var flagBases = map[string][]string{
	"run":          {"--model", "sim:perfect", "--task", "reverse", "--length", "4", "--items", "1", "--quiet"},
	"check":        {"--baseline", "1", "--model", "sim:perfect", "--quiet"},
	"verify":       {"sim:perfect", "sim:careful", "--task", "reverse", "--length", "4", "--items", "1", "--quiet"},
	"preflight":    {"sim:obedient", "--quiet"},
	"sentinel run": {"sim:obedient", "--quiet"},
	"init":         {"sim:obedient", "--quiet"},
	"accept":       {"sim:obedient", "--quiet"},
	"status":       {},
	"smoke":        {"sim:obedient", "--quiet"},
	"horizon":      {"--model", "sim:perfect", "--task", "reverse", "--items", "2", "--quiet"},
	"aa":           {"--model", "sim:perfect", "--task", "reverse", "--length", "4", "--items", "2", "--quiet"},
	"plan":         {"--model", "sim:perfect", "--task", "reverse", "--length", "4", "--items", "1"},
	"models":       {"sim"},
	"fake":         {"--task", "reverse", "--length", "4", "--items", "1", "--for", "1ms"},
	"report":       {"1"},
	"compare":      {"1", "2"},
	"runs":         {},
	"show":         {"1"},
	"tasks":        {},
	"suites":       {},
	"items":        {"--task", "reverse", "--length", "4", "--items", "1"},
	"grade":        {},
	"regrade":      {"1"},
	"selfcheck":    {"--items", "1"},
	"import":       {"nothing.jsonl"},
	"sortbench":    {"nothing"},
	"simpe":        {"nothing.json"},
	"inspect":      {"nothing.json"},
	"lm-eval":      {"nothing"},
	"export":       {"1"},
}

// badValues are values, by the type of a flag, that are out of its range or no value of
// it at all.
var badValues = map[string][]string{
	"int":         {"-1", "-99999999999999999999", "99999999999", "99999999999999999999", "NaN", "", "1e3", "٣", "1\n2"},
	"int64":       {"-9223372036854775809", "9223372036854775808", "nan", "", "1.5"},
	"uint64":      {"-1", "18446744073709551616", "nan", "", "1.5"},
	"float64":     {"nan", "inf", "-inf", "-1", "1e400", "", "0,5", "1e300"},
	"duration":    {"-1s", "-1ns", "9999999h", "1e99s", "5", "", "nan"},
	"string":      {"", " ", "\n"},
	"stringArray": {"", " "},
	"stringSlice": {" ", "reverse,,copy"},
}

// TestBadFlags gives every flag of every command values that it cannot have, and two formats at
// once: each is refused with exit code 2 and the name of the flag, and nothing is sent or written.
// Without VERBATIM_EXHAUSTIVE each flag gets a third of the values.
func TestBadFlags(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs one command after the other")
	}
	dir := t.TempDir()
	t.Chdir(dir)
	db := filepath.Join(dir, "kept.db")
	for _, model := range []string{"sim:perfect", "sim:sloppy"} {
		if r := invoke(t, db, "run", "--model", model, "--task", "reverse", "--length", "4", "--items", "1"); r.code != exitDone {
			t.Fatal(r.err)
		}
	}
	before := listing(t, dir)
	var env Env
	env.Getenv = func(string) string { return "" }
	tried, flags, twoFormats := 0, 0, 0
	var walk func(c *cobra.Command, path []string)
	walk = func(c *cobra.Command, path []string) {
		if c.Name() == "completion" {
			return // cobra's, with flags of its own
		}
		for _, sub := range c.Commands() {
			walk(sub, append(slices.Clone(path), sub.Name()))
		}
		base, known := flagBases[strings.Join(path, " ")]
		if !known {
			base, known = flagBases[c.Name()]
		}
		if !known {
			if c.Runnable() && c.HasLocalFlags() && c.Name() != "verbatim" {
				t.Errorf("the command %q has no valid arguments in flagBases", c.Name())
			}
			return
		}
		if c.Flags().Lookup("format") != nil && c.Flags().Lookup("json") != nil {
			args := append(append(slices.Clone(path), base...), "--json", "--format=csv")
			if r := within(t, db, args); r.code != Usage || !strings.Contains(r.err, "--json does not go with --format csv") {
				t.Errorf("%q: exit code %d\n%s", args, r.code, r.err)
			}
			twoFormats++
		}
		c.Flags().VisitAll(func(f *pflag.Flag) {
			flags++
			for i, value := range badValues[f.Value.Type()] {
				if !exhaustive.All() && (flags+i)%6 != 0 {
					continue
				}
				args := append(append(slices.Clone(path), base...), "--"+f.Name+"="+value)
				tried++
				r := within(t, db, args)
				if strings.Contains(r.err, "panic") || r.code != Usage || !strings.Contains(r.err, "--"+f.Name) {
					t.Errorf("%q: exit code %d\n%s", args, r.code, r.err)
				}
			}
		})
	}
	walk(rootCommand(&env), nil)
	if least := map[bool]int{false: 300, true: 2000}[exhaustive.All()]; tried < least {
		t.Errorf("only %d values were tried", tried)
	}
	if twoFormats < 5 {
		t.Errorf("only %d commands have --json and --format", twoFormats)
	}
	if after := listing(t, dir); !slices.Equal(after, before) {
		t.Errorf("files before: %q, after: %q", before, after)
	}
	r := invoke(t, db, "runs")
	if n := strings.Count(r.out, "\n"); n != 3 {
		t.Errorf("there are runs in addition to the two:\n%s", r.out)
	}
}

// within runs a command line that must end.
func within(t *testing.T, db string, args []string) ran {
	t.Helper()
	done := make(chan ran, 1)
	go func() {
		var out, err bytes.Buffer
		code := Main(args, Env{
			In: strings.NewReader(""), Out: &out, Err: &err,
			Getenv: func(name string) string {
				return map[string]string{"VERBATIM_DISCOVER": "off", "VERBATIM_DB": db}[name]
			},
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} },
		})
		done <- ran{code, out.String(), err.String()}
	}()
	select {
	case r := <-done:
		return r
	case <-time.After(time.Minute):
		t.Fatalf("%q does not end", args)
		return ran{}
	}
}

// listing is the names of the files in a folder.
func listing(t *testing.T, dir string) (names []string) {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		names = append(names, e.Name())
	}
	return names
}

// TestRangesNameFlags: every range is of a flag that some command has.
func TestRangesNameFlags(t *testing.T) {
	var env Env
	env.Getenv = func(string) string { return "" }
	names := map[string]bool{}
	for _, c := range rootCommand(&env).Commands() {
		for _, sub := range append(c.Commands(), c) {
			sub.Flags().VisitAll(func(f *pflag.Flag) { names[f.Name] = true })
		}
	}
	for name := range valueRanges {
		if !names[name] {
			t.Errorf("there is a range for --%s, and no such flag", name)
		}
	}
	for name, r := range valueRanges {
		if !(r.Least < r.Most) {
			t.Errorf("--%s: %s", name, fmt.Sprint(r))
		}
	}
}
