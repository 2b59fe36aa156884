package grade

import (
	"bufio"
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// oracleDir returns the folder of the executable specification, ../shared/oracle
// beside the repository. Without it, or without python3, the test is skipped, or
// fails where VERBATIM_ORACLE=require asks for it.
func oracleDir(t testing.TB) string {
	t.Helper()
	missing := t.Skipf
	if os.Getenv("VERBATIM_ORACLE") == "require" {
		missing = t.Fatalf
	}
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			t.Fatal("no go.mod above the test")
		}
		dir = filepath.Dir(dir)
	}
	oracle := filepath.Join(dir, "..", "shared", "oracle")
	if _, err := os.Stat(filepath.Join(oracle, "classify.py")); err != nil {
		missing("the oracle is not here: %v", err)
	}
	if _, err := exec.LookPath("python3"); err != nil {
		missing("the oracle needs python3: %v", err)
	}
	return oracle
}

// python runs a program with the oracle's folder as its argument and returns what
// it prints, one JSON value per line.
func python[T any](t testing.TB, program string, stdin []byte) []T {
	t.Helper()
	cmd := exec.Command("python3", "-c", program, oracleDir(t))
	cmd.Stdin = bytes.NewReader(stdin)
	var complaint strings.Builder
	cmd.Stderr = &complaint
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("python3: %v\n%s", err, complaint.String())
	}
	var values []T
	lines := bufio.NewScanner(bytes.NewReader(out))
	lines.Buffer(nil, len(out)+1)
	for lines.Scan() {
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			t.Fatalf("%v in %.200q", err, lines.Bytes())
		}
		values = append(values, v)
	}
	if len(values) == 0 {
		t.Fatal("the oracle said nothing")
	}
	return values
}

func mustJSON(t testing.TB, v any) []byte {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
