package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"verbatim/internal/cli"
	"verbatim/internal/testmain"
)

var update = flag.Bool("update", false, "rewrite the expected output inside the stories")

func TestMain(m *testing.M) {
	testmain.ManyAtOnce()
	testscript.Main(testmain.InMemory(m), map[string]func(){
		"verbatim": func() { os.Exit(cli.Main(os.Args[1:], cli.OS())) },
	})
}

// TestStories runs every story of testdata: one file each, commands and what they
// print. No story finds a server of the machine that it runs on. What follows the
// condition [exhaustive] takes long, and is left to TestLongStories.
func TestStories(t *testing.T) {
	t.Parallel()
	runStories(t, stories(t, false))
}

// TestLongStories runs the stories that TestStories leaves early, to their ends.
func TestLongStories(t *testing.T) {
	t.Parallel()
	if !exhaustive() {
		t.Skip("VERBATIM_EXHAUSTIVE=1 runs this test; scripts/check exhaustive does")
	}
	runStories(t, stories(t, true))
}

// stories returns the files of the stories for TestLongStories, or of those for TestStories.
func stories(t *testing.T, long bool) (files []string) {
	t.Helper()
	all, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	condition := regexp.MustCompile(`(?m)^\[!?exhaustive\] `)
	for _, path := range all {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if long == (exhaustive() && condition.Match(text)) {
			files = append(files, path)
		}
	}
	if len(files) < 10 {
		t.Fatalf("only %d stories were found", len(files))
	}
	return files
}

// runStories runs the stories of the files.
func runStories(t *testing.T, files []string) {
	t.Helper()
	t.Cleanup(func() {
		if t.Failed() && !*update {
			t.Logf("if what a story prints should change, 'go test ./cmd/verbatim -run %s/NAME -update' rewrites it; read the difference", t.Name())
		}
	})
	testscript.Run(t, testscript.Params{
		Files:         files,
		UpdateScripts: *update,
		Cmds:          map[string]func(*testscript.TestScript, bool, []string){"exits": exits, "point": point},
		Condition: func(name string) (bool, error) {
			if name != "exhaustive" {
				return false, fmt.Errorf("the condition %s is unknown", name)
			}
			return exhaustive(), nil
		},
		Setup: func(env *testscript.Env) error {
			env.Setenv("VERBATIM_DISCOVER", "off")
			env.Setenv("XDG_CONFIG_HOME", filepath.Join(env.WorkDir, ".config"))
			root, err := filepath.Abs(filepath.Join("..", ".."))
			if err != nil {
				return err
			}
			env.Setenv("ROOT", root)
			return nil
		},
	})
}

// exits is the command "exits CODE PROGRAM ARG...": the program must end with
// exactly this exit code.
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits code program [arg...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	err = ts.Exec(args[1], args[2:]...)
	got := 0
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// point is the command "point READY FILE": in the file {url} is replaced by the
// address of a server that is being started with --ready-file READY.
func point(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: point ready file")
	}
	for range 1000 {
		if url, err := os.ReadFile(ts.MkAbs(args[0])); err == nil {
			text := strings.ReplaceAll(ts.ReadFile(args[1]), "{url}", strings.TrimSpace(string(url)))
			ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(text), 0o666))
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	ts.Fatalf("there is no server")
}

// TestSeedsAreAStory: every command of docs/seeds.md is in the story that runs them, in
// the same order.
func TestSeedsAreAStory(t *testing.T) {
	page, err := os.ReadFile(filepath.Join("..", "..", "docs", "seeds.md"))
	if err != nil {
		t.Fatal(err)
	}
	story, err := os.ReadFile(filepath.Join("testdata", "seeds.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	commands := regexp.MustCompile("(?m)\\| `(verbatim [^`]+)` \\|$").FindAllStringSubmatch(string(page), -1)
	if len(commands) < 35 {
		t.Errorf("%d commands", len(commands))
	}
	rest := string(story)
	for _, m := range commands {
		_, after, ok := strings.Cut(rest, "\n"+m[1]+"\n")
		if !ok {
			t.Errorf("the story does not run this command of the page in its order: %s", m[1])
			continue
		}
		rest = "\n" + after
	}
}
