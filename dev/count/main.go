// Command count prints the size of this repository next to its goals: scripts/count [--no-build] [COMMIT].
//
// With a commit it counts that one too, from git archive, and prints the difference. Nothing
// fails on a number: the table is for the people who write and review a change.
package main

import (
	"archive/tar"
	"bytes"
	"errors"
	"flag"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"strings"
)

func main() {
	noBuild := flag.Bool("no-build", false, "leave out what needs the built program: its size, commands and flags")
	flag.Usage = func() {
		fmt.Fprintln(os.Stderr, "usage: scripts/count [--no-build] [COMMIT]\n\nPrints the size of the repository, of COMMIT too, and the goals.")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() > 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := compare(flag.Arg(0), !*noBuild); err != nil {
		fmt.Fprintln(os.Stderr, "count:", err)
		os.Exit(1)
	}
}

// rows are the lines of the table. A count that the tree does not have is missing from its map.
var rows = []struct{ name, goal, next string }{
	{"lines", "110,000", "124,000"},
	{"lines, dev", "", ""},
	{"lines, conformance", "", ""},
	{"lines, bench", "", ""},
	{"test lines", "72,000", "76,000"},
	{"test lines, dev", "", ""},
	{"test lines, conformance", "", ""},
	{"test lines, bench", "", ""},
	{"packages", "65", "85"},
	{"packages, all modules", "", ""},
	{"exported names", "1,500", "2,200"},
	{"commands of --help", "14", ""},
	{"flags of run --help", "25", ""},
	{"pages for users", "16", ""},
	{"words for users, with README", "40,000", ""},
	{"words, docs/dev", "", ""},
	{"words, docs/decisions", "", ""},
	{"bytes, CHANGELOG", "", ""},
	{"bytes, program", "35,000,000", ""},
}

// compare prints the counts of the working tree, and of a commit if it is not empty.
func compare(commit string, build bool) error {
	now, err := workingTree()
	if err != nil {
		return err
	}
	here, err := measure(now, ".", build)
	if err != nil || commit == "" {
		return errors.Join(err, printTable(here, nil, ""))
	}
	then, err := archived(commit)
	if err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "count")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	for name, data := range then {
		file := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o777), os.WriteFile(file, data, 0o666)); err != nil {
			return err
		}
	}
	there, err := measure(then, dir, build)
	if err != nil {
		return err
	}
	return printTable(here, there, commit)
}

func printTable(here, there map[string]int, commit string) error {
	if there == nil {
		fmt.Printf("%-29s %11s  %11s %11s\n", "", "now", "next goal", "goal")
	} else {
		fmt.Printf("%-29s %11s %11.11s %11s  %11s %11s\n", "", "now", commit, "difference", "next goal", "goal")
	}
	for _, r := range rows {
		fmt.Printf("%-29s %11s", r.name, number(here, r.name, "%d"))
		if there != nil {
			difference := map[string]int{}
			if _, known := there[r.name]; known {
				difference[r.name] = here[r.name] - there[r.name]
			}
			fmt.Printf(" %11s %11s", number(there, r.name, "%d"), number(difference, r.name, "%+d"))
		}
		fmt.Printf("  %11s %11s\n", r.next, r.goal)
	}
	return nil
}

// number prints a count with commas, "-" for one that was not taken.
func number(counts map[string]int, name, format string) string {
	n, known := counts[name]
	if !known {
		return "-"
	}
	s := fmt.Sprintf(format, n)
	for at := len(s) - 3; at > 0 && s[at-1] >= '0' && s[at-1] <= '9'; at -= 3 {
		s = s[:at] + "," + s[at:]
	}
	return s
}

// workingTree reads the files that git knows or would add.
func workingTree() (map[string][]byte, error) {
	out, err := exec.Command("git", "ls-files", "-z", "-co", "--exclude-standard").Output()
	if err != nil {
		return nil, fmt.Errorf("git ls-files: %w", err)
	}
	files := map[string][]byte{}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		if data, err := os.ReadFile(name); err == nil { // otherwise it was removed, or is a folder
			files[name] = data
		}
	}
	return files, nil
}

// archived reads the files of a commit.
func archived(commit string) (map[string][]byte, error) {
	out, err := exec.Command("git", "archive", "--format=tar", commit).Output()
	if err != nil {
		return nil, fmt.Errorf("git archive %s: %w", commit, err)
	}
	files := map[string][]byte{}
	for r := tar.NewReader(bytes.NewReader(out)); ; {
		h, err := r.Next()
		if err == io.EOF {
			return files, nil
		}
		if err != nil {
			return nil, err
		}
		if h.Typeflag != tar.TypeReg {
			continue
		}
		if files[h.Name], err = io.ReadAll(r); err != nil {
			return nil, err
		}
	}
}

// measure counts the files of a tree, and the program that is built in its folder.
func measure(files map[string][]byte, dir string, build bool) (map[string]int, error) {
	counts, packages, others := map[string]int{"bytes, CHANGELOG": len(files["CHANGELOG.md"])}, map[string]bool{}, map[string]bool{}
	for name, data := range files {
		switch folder := path.Dir(name); {
		case strings.HasSuffix(name, ".go") && !strings.Contains(name, "testdata/"):
			module, _, _ := strings.Cut(name, "/")
			suffix := ""
			if module == "dev" || module == "conformance" || module == "bench" {
				suffix = ", " + module
				others[folder] = true
			} else {
				packages[folder] = true
			}
			if strings.HasSuffix(name, "_test.go") {
				counts["test lines"+suffix] += bytes.Count(data, []byte("\n"))
				continue
			}
			counts["lines"+suffix] += bytes.Count(data, []byte("\n"))
			if suffix == "" {
				n, err := exportedNames(name, data)
				if err != nil {
					return nil, err
				}
				counts["exported names"] += n
			}
		case !strings.HasSuffix(name, ".md"):
		case folder == "docs":
			counts["pages for users"]++
			fallthrough
		case name == "README.md":
			counts["words for users, with README"] += len(bytes.Fields(data))
		case folder == "docs/dev" || folder == "docs/decisions":
			counts["words, "+folder] += len(bytes.Fields(data))
		}
	}
	counts["packages"], counts["packages, all modules"] = len(packages), len(packages)+len(others)
	if !build {
		return counts, nil
	}
	return counts, measureProgram(counts, dir)
}

// exportedNames counts the exported functions, types, constants and variables at top level, and the
// exported methods, in all packages of the main module, internal or not. Fields of structs and methods
// of interfaces do not count. (So the commit 454ea160, before the goals were set, has 3,014.)
func exportedNames(name string, data []byte) (n int, err error) {
	file, err := parser.ParseFile(token.NewFileSet(), name, data, parser.SkipObjectResolution)
	if err != nil {
		return 0, err
	}
	count := func(id *ast.Ident) {
		if id.IsExported() {
			n++
		}
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			count(d.Name)
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.TypeSpec:
					count(s.Name)
				case *ast.ValueSpec:
					for _, id := range s.Names {
						count(id)
					}
				}
			}
		}
	}
	return n, nil
}

// measureProgram builds the stripped program and counts its bytes, commands and flags.
func measureProgram(counts map[string]int, dir string) error {
	out, err := os.MkdirTemp("", "count")
	if err != nil {
		return err
	}
	defer os.RemoveAll(out)
	program := filepath.Join(out, "verbatim")
	build := exec.Command("go", "build", "-trimpath", "-ldflags", "-s -w", "-o", program, "./cmd/verbatim")
	build.Dir, build.Env, build.Stderr = dir, append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS="), os.Stderr
	if err := build.Run(); err != nil {
		return fmt.Errorf("build: %w", err)
	}
	info, err := os.Stat(program)
	if err != nil {
		return err
	}
	counts["bytes, program"] = int(info.Size())
	help, err := exec.Command(program, "--help").Output()
	if err != nil {
		return fmt.Errorf("--help: %w", err)
	}
	// The commands are in blocks with a head; cobra's own (help, completion) do not count.
	for block := range strings.SplitSeq(string(help), "\n\n") {
		head, list, _ := strings.Cut(block, ":\n")
		if strings.Contains(head, "\n") || head == "Usage" || head == "Examples" || head == "Flags" || head == "Other" {
			continue
		}
		counts["commands of --help"] += len(regexp.MustCompile(`(?m)^  [a-z]+ {2,}\S`).FindAllString(list, -1))
	}
	help, err = exec.Command(program, "run", "--help").Output()
	if err != nil {
		return fmt.Errorf("run --help: %w", err)
	}
	counts["flags of run --help"] = len(regexp.MustCompile(`(?m)^ +(-[a-zA-Z], )?--[a-z]`).FindAllString(string(help), -1))
	return nil
}
