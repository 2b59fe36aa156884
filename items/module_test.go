package items_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestOtherModule builds a program in a module of its own that uses only what is public.
func TestOtherModule(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds a program")
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	gomod, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	gosum, err := os.ReadFile(filepath.Join(root, "go.sum"))
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	files := map[string]string{
		"go.sum": string(gosum),
		"go.mod": strings.Replace(string(gomod), "module verbatim", "module example.com/user", 1) + "\nrequire verbatim v0.0.0\n\nreplace verbatim => " + root + "\n",
		"main.go": `package main

import (
	"fmt"

	"verbatim"
	"verbatim/grade"
	"verbatim/items"
)

func main() {
	list, err := items.Draw(items.Options{Tasks: []string{"add"}, Lengths: []int{3}, Items: 2, Seed: 1})
	if err != nil {
		panic(err)
	}
	for _, it := range list {
		fmt.Println(grade.Reply(&it, it.Want.Text, verbatim.FinishStop).Outcome)
	}
}
`}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	cmd := exec.Command("go", "run", "-mod=mod", ".")
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=")
	out, err := cmd.CombinedOutput()
	if err != nil || string(out) != "pass\npass\n" {
		t.Errorf("%v\n%s", err, out)
	}
}
