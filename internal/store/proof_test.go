package store

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"verbatim/internal/store/sqlite"
)

// A proof stays in the database in which it was saved: neither an export nor an
// import carries it.
func TestProof(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "exec:a", "p1")
	uid, proof, err := s.Proof(ctx, run.N)
	if err != nil || uid == "" || proof != "" {
		t.Fatalf("%q, %q, %v", uid, proof, err)
	}
	must(t, s.SetProof(ctx, run.N, "1:secretproof"))
	if same, proof, err := s.Proof(ctx, run.N); err != nil || same != uid || proof != "1:secretproof" {
		t.Fatalf("%q, %q, %v", same, proof, err)
	}
	var unknown *UnknownRun
	if _, _, err := s.Proof(ctx, 99); !errors.As(err, &unknown) {
		t.Errorf("%v", err)
	}
	var file bytes.Buffer
	must(t, s.Export(ctx, &file, run.N))
	if strings.Contains(file.String(), "secretproof") {
		t.Fatal("the proof is exported")
	}
	hostile := strings.Replace(file.String(), `"uid":`, `"proof":"1:secretproof","uid":`, 1)
	for _, text := range []string{file.String(), hostile} {
		other := newStore(t)
		if _, err := other.Import(ctx, strings.NewReader(text)); err != nil {
			continue // refused: nothing is imported
		}
		if same, proof, err := other.Proof(ctx, 1); err != nil || same != uid || proof != "" {
			t.Errorf("%q, %q, %v", same, proof, err)
		}
	}
}

// A name that this program would not give never becomes a path or a flag.
func TestForeignNames(t *testing.T) {
	s := newStore(t)
	run := newRun(t, s, "m", "p1")
	for _, name := range []string{"../../x", "/etc/x", "a b", "--db=x", "-x", "", "a\x1b[31m", "a$(b)"} {
		must(t, s.file.Update(ctx, func(c *sqlite.Conn) error {
			_, _, err := c.Exec(`UPDATE run SET name = ? WHERE id = ?`, name, run.N)
			return err
		}))
		got, err := s.Find(ctx, "last", "")
		if err != nil || got.Name != "1" {
			t.Errorf("%q is read as %q, %v", name, got.Name, err)
		}
	}
}
