package main

import (
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"verbatim/internal/cli"
)

var update = flag.Bool("update", false, "rewrite the expected output inside the stories")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"verbatim": func() { os.Exit(cli.Main(os.Args[1:], cli.OS())) },
	})
}

// TestStories runs every story of testdata: one file each, commands and what
// they print. No story finds a server of the machine that it runs on.
func TestStories(t *testing.T) {
	stories, err := filepath.Glob(filepath.Join("testdata", "*.txtar"))
	if err != nil {
		t.Fatal(err)
	}
	if len(stories) < 10 {
		t.Fatalf("only %d stories were found", len(stories))
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Setup: func(env *testscript.Env) error {
			env.Setenv("VERBATIM_DISCOVER", "off")
			root, err := filepath.Abs(filepath.Join("..", ".."))
			if err != nil {
				return err
			}
			env.Setenv("ROOT", root)
			return nil
		},
	})
}
