package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

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
