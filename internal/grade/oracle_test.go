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

	"verbatim/internal/oracle"
)

// oracleDir returns the folder of the executable specification, ../shared/oracle
// next to the repository. Without it, or without python3, the test is skipped, or
// fails where VERBATIM_ORACLE=require asks for it.
func oracleDir(t testing.TB) string {
	t.Helper()
	dir := filepath.Dir(oracle.Path(t, "classify.py"))
	if _, err := exec.LookPath("python3"); err != nil {
		if os.Getenv("VERBATIM_ORACLE") == "require" {
			t.Fatalf("the oracle needs python3: %v", err)
		}
		t.Skipf("the oracle needs python3: %v", err)
	}
	return dir
}

// python runs a program with the oracle's folder as its argument and returns what
// it prints, one JSON value per line.
func python[T any](t testing.TB, program string, stdin []byte) []T {
	t.Helper()
	cmd := exec.Command("python3", "-B", "-c", program, oracleDir(t))
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
		t.Fatal("the oracle printed nothing")
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
