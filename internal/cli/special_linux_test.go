package cli

import (
	"io"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"verbatim/internal/input"
)

// TestSpecialFiles names what is no file where a file is read or written: each is
// refused at once, and nothing is made or lost.
func TestSpecialFiles(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	socket, err := net.Listen("unix", "socket")
	if err != nil {
		t.Fatal(err)
	}
	defer socket.Close()
	if err := syscall.Mkfifo("pipe", 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir("folder", 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(words ...string) []string {
		return append([]string{"run", "--model", "sim:perfect", "--task", "reverse", "--length", "4"}, words...)
	}
	if r := invoke(t, "kept.db", run("--items", "1")...); r.code != exitDone {
		t.Fatal(r.err)
	}
	if r := invoke(t, "kept.db", "export", "1", "-o", "run.jsonl"); r.code != exitDone {
		t.Fatal(r.err)
	}
	if err := os.WriteFile("mine.jsonl", []byte(`{"prompt":"a","want":"b"}`+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	before := listing(t, dir)
	content := func(name string) string {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	saved, exported, mine := content("kept.db"), content("run.jsonl"), content("mine.jsonl")
	no := []string{"/dev/zero", "/dev/urandom", "folder", "socket"}
	var list [][]string
	for _, path := range no {
		list = append(list,
			[]string{"run", "--model", "sim:perfect", "--items", path}, []string{"items", "--items", path},
			[]string{"run", "--model", "sim:perfect", "--system", "@" + path}, []string{"models", "--config", path}, []string{"models", "--prices", path},
			[]string{"grade", path}, []string{"import", path}, []string{"import", "sortbench", "--scores", path}, []string{"fake", "--fault", "@" + path, "--for", "1ms"})
		if path != "folder" {
			list = append(list, []string{"import", "simpe", path}, []string{"import", "inspect", path}, []string{"import", "lm-eval", path}, []string{"import", "sortbench", path})
		}
	}
	for _, path := range append(no, "pipe", "/dev/null") {
		list = append(list, []string{"--db", path, "runs"}, run("--items", "1", "--db", path), []string{"--db", path, "import", "run.jsonl"}, []string{"--db", path, "report"})
	}
	list = append(list,
		[]string{"--db", "", "runs"}, []string{"--db", "missing/x.db", "runs"}, run("--items", "1", "--db", "missing/x.db"),
		[]string{"run", "--model", "sim:perfect", "--items", "pipe"}, []string{"grade", "pipe", "pipe"},
		[]string{"export", "1", "-o", "kept.db"}, []string{"export", "1", "-o", "./kept.db"}, []string{"report", "1", "-o", "kept.db"}, []string{"report", "run.jsonl", "-o", "run.jsonl"},
		[]string{"export", "run.jsonl", "-o", "./run.jsonl"}, []string{"compare", "run.jsonl", "run.jsonl", "-o", filepath.Join(dir, "run.jsonl")}, []string{"grade", "mine.jsonl", "-o", "mine.jsonl"},
		[]string{"items", "--items", "mine.jsonl", "-o", "mine.jsonl"}, []string{"report", "1", "-o", "folder"}, []string{"grade", "mine.jsonl", "-o", "folder"}, []string{"export", "1", "-o", "socket"},
		[]string{"check", "--baseline", "1", "--model", "sim:perfect", "--junit", "folder"}, []string{"check", "--baseline", "1", "--model", "sim:perfect", "--junit", "x", "--markdown", "./x"},
		[]string{"check", "--baseline", "1", "--model", "sim:perfect", "--junit", "missing/x"}, []string{"check", "--baseline", "run.jsonl", "--model", "sim:perfect", "--junit", "run.jsonl"},
		run("--items", "1e12"), run("--items", "999999999999"), run("--items", "1000000000", "--trials", "1000000"), run("--items", "100000", "--trials", "1000000"),
		run("--items", "1", "--length", "8..1000000000000"), run("--items", "1", "--length", "99999999999999999999"), run("--items", "1", "--length", "-8"), run("--items", "1", "--reasoning-tokens", "99999999999"),
		run("--items", "1", "--budget", "nan"), run("--items", "1", "--budget", "1e300"), run("--items", "1", "--budget", "-1"), run("--items", "1", "--seed", "18446744073709551616"),
	)
	for _, args := range list {
		r := within(t, "kept.db", args)
		if (r.code != Usage && r.code != Failed) || !strings.Contains(r.err, "verbatim: error: ") {
			t.Errorf("%q: exit code %d\n%s%s", args, r.code, r.out, r.err)
		}
		if words := strings.Join(args, " "); r.code != Usage && !strings.Contains(words, "import") && !strings.Contains(words, "grade") && !strings.Contains(words, "missing") {
			t.Errorf("%q: exit code %d, want 2\n%s", args, r.code, r.err)
		}
		if after := listing(t, dir); !slices.Equal(after, before) {
			t.Fatalf("%q: files before: %q, after: %q", args, before, after)
		}
	}
	if content("kept.db") != saved || content("run.jsonl") != exported || content("mine.jsonl") != mine {
		t.Error("a file has changed")
	}
	for _, name := range []string{"pipe", "socket", "folder"} {
		if info, err := os.Lstat(name); err != nil || info.Mode().IsRegular() {
			t.Errorf("%s is %v, %v", name, info, err)
		}
	}
	if r := within(t, "kept.db", []string{"export", "1", "-o", "/dev/null"}); r.code != exitDone {
		t.Errorf("/dev/null takes everything: %s", r.err)
	}
	if info, err := os.Stat("/dev/null"); err != nil || info.Mode()&os.ModeCharDevice == 0 {
		t.Fatalf("/dev/null is %v, %v", info, err)
	}
	// A shell names the output of a command as a pipe.
	if got, err := feed("pipe", mine); got != mine || err != nil {
		t.Errorf("a pipe holds %q, and %q is read: %v", mine, got, err)
	}
}

// TestCheckWritesOtherFiles: a file of check that cannot be written leaves out no other output.
func TestCheckWritesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	db, markdown := filepath.Join(dir, "v.db"), filepath.Join(dir, "check.md")
	if r := invoke(t, db, "run", "-q", "--model", "sim:perfect", "--task", "reverse", "--length", "4", "--items", "2"); r.code != exitDone {
		t.Fatal(r.err)
	}
	r := invoke(t, db, "check", "-q", "--baseline", "1", "--model", "sim:perfect", "--junit", "/dev/full", "--markdown", markdown)
	if r.code != Failed || !strings.Contains(r.err, "/dev/full") || !strings.Contains(r.out, "baseline") {
		t.Errorf("exit code %d\n%s%s", r.code, r.out, r.err)
	}
	if text, err := os.ReadFile(markdown); err != nil || len(text) == 0 {
		t.Errorf("the Markdown has %d bytes: %v", len(text), err)
	}
}

// TestLostOutput: a command whose output cannot be written fails, whatever prints it.
func TestLostOutput(t *testing.T) {
	db := filepath.Join(t.TempDir(), "v.db")
	if r := invoke(t, db, "run", "-q", "--model", "sim:perfect", "--task", "reverse", "--length", "4", "--items", "2"); r.code != exitDone {
		t.Fatal(r.err)
	}
	for _, line := range []string{"runs --verify", "--help", "run --help", "models nano", "tasks copy", "show 1 --all", "completion bash"} {
		full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
		if err != nil {
			t.Fatal(err)
		}
		var errors strings.Builder
		code := Main(append([]string{"--db", db}, strings.Fields(line)...), Env{
			In: strings.NewReader(""), Out: full, Err: &errors, Getenv: func(string) string { return "" },
			Interrupts: func() (<-chan os.Signal, func()) { return nil, func() {} },
		})
		full.Close()
		if code != Failed || !strings.Contains(errors.String(), "no space left on device") {
			t.Errorf("%s: exit code %d\n%s", line, code, errors.String())
		}
	}
}

// feed returns what is read from a pipe that text was written to.
func feed(pipe, text string) (string, error) {
	w, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		return "", err
	}
	r, err := input.OpenFile(pipe)
	if err != nil {
		return "", err
	}
	defer r.Close()
	if _, err := w.WriteString(text); err != nil {
		return "", err
	}
	if err := w.Close(); err != nil {
		return "", err
	}
	data, err := io.ReadAll(r)
	return string(data), err
}
