package app

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// folderIn returns the folder of an environment that holds only these variables.
func folderIn(vars map[string]string) trustFolder {
	return openTrust(func(name string) string { return vars[name] })
}

func TestFolder(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the folders of Linux")
	}
	for _, c := range []struct {
		env  map[string]string
		want string
	}{
		{map[string]string{"XDG_CONFIG_HOME": "/c", "HOME": "/h"}, "/c/verbatim"},
		{map[string]string{"HOME": "/h"}, "/h/.config/verbatim"},
		{map[string]string{}, ""},
		{map[string]string{"XDG_CONFIG_HOME": "here", "HOME": "/h"}, ""},
		{map[string]string{"HOME": "."}, ""},
	} {
		if got := folderIn(c.env).path; got != c.want {
			t.Errorf("%v: %q, want %q", c.env, got, c.want)
		}
	}
}

// proofOf returns a proof, "" if it cannot be made.
func proofOf(f trustFolder, c trustClaim) string {
	proof, _ := f.prove(c)
	return proof
}

func isConfirmed(f trustFolder, proof string, c trustClaim) bool {
	code, is, _ := f.confirms(proof, c)
	return is && code == c.Code
}

func TestProof(t *testing.T) {
	base := t.TempDir()
	f := folderIn(map[string]string{"XDG_CONFIG_HOME": base})
	claim := trustClaim{"uid", "plan", "{}", "exec:a", "exec a", "c"}
	if isConfirmed(f, "1:c:00", claim) {
		t.Error("a proof without a key")
	}
	if _, err := os.Stat(filepath.Join(base, "verbatim")); err == nil {
		t.Error("checking a proof made the folder")
	}
	proof := proofOf(f, claim)
	if proof == "" || proof != proofOf(f, claim) || !isConfirmed(f, proof, claim) {
		t.Fatalf("proof %q", proof)
	}
	key, err := os.Stat(filepath.Join(base, "verbatim", "key"))
	if err != nil || key.Size() != 32 || runtime.GOOS != "windows" && key.Mode().Perm() != 0o600 {
		t.Errorf("key: %v, %v", key, err)
	}
	for _, other := range []trustClaim{
		{"uie", "plan", "{}", "exec:a", "exec a", "c"}, {"uid", "plam", "{}", "exec:a", "exec a", "c"}, {"uid", "plan", "{1}", "exec:a", "exec a", "c"}, {"uid", "plan", "{}", "exec:b", "exec a", "c"},
		{"uid", "plan", "{}", "exec:a", "exec b", "c"}, {"uidp", "lan", "{}", "exec:a", "exec a", "c"}, {"", "uidplan", "{}", "exec:a", "exec a", "c"}, {"uid", "plan", "{}", "exec:a", "exec a", "d"},
	} {
		if isConfirmed(f, proof, other) {
			t.Errorf("the proof confirms %v too", other)
		}
	}
	for _, bad := range []string{"", "1:", "2:" + proof[2:], proof[2:], proof + "0", proof[:len(proof)-2], strings.ToUpper(proof[:2]) + "zz", "1:d" + proof[3:], "1::" + proof[4:]} {
		if isConfirmed(f, bad, claim) {
			t.Errorf("%q confirms", bad)
		}
	}
	if other := folderIn(map[string]string{"XDG_CONFIG_HOME": t.TempDir()}); proofOf(other, claim) == proof || isConfirmed(other, proof, claim) {
		t.Error("another user's key makes the same proof")
	}
}

// Without a key nothing is proved and nothing fails.
func TestNoKey(t *testing.T) {
	claim := trustClaim{"uid", "plan", "{}", "exec:a", "exec a", "c"}
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for name, f := range map[string]trustFolder{"no folder": {}, "a file in its place": {file}, "below a file": {filepath.Join(file, "x")}} {
		if p := proofOf(f, claim); p != "" || isConfirmed(f, p, claim) {
			t.Errorf("%s: proof %q", name, p)
		}
	}
	for name, spoil := range map[string]func(path string) error{
		"short":    func(path string) error { return os.WriteFile(path, []byte("short"), 0o600) },
		"empty":    func(path string) error { return os.WriteFile(path, nil, 0o600) },
		"readable": func(path string) error { return os.Chmod(path, 0o644) },
	} {
		if name == "readable" && runtime.GOOS == "windows" {
			continue
		}
		f := trustFolder{t.TempDir()}
		proof := proofOf(f, claim)
		if err := spoil(f.Path("key")); err != nil {
			t.Fatal(err)
		}
		p, err := f.prove(claim)
		_, is, doubt := f.confirms(proof, claim)
		if p != "" || is || err == nil || doubt == nil || !strings.Contains(err.Error(), f.Path("key")) {
			t.Errorf("%s key: proof %q, %v, %v", name, p, err, doubt)
		}
	}
}

// Of many processes that make the key at the same moment one wins.
func TestKeyRace(t *testing.T) {
	f := trustFolder{filepath.Join(t.TempDir(), "verbatim")}
	proofs := make([]string, 32)
	var all sync.WaitGroup
	for i := range proofs {
		all.Go(func() { proofs[i] = proofOf(f, trustClaim{Run: "uid"}) })
	}
	all.Wait()
	for _, p := range proofs {
		if p == "" || p != proofs[0] {
			t.Fatalf("%q and %q", proofs[0], p)
		}
	}
	entries, err := os.ReadDir(f.path)
	if err != nil || len(entries) != 1 {
		t.Errorf("%v, %v", entries, err)
	}
}

func TestTrustedFiles(t *testing.T) {
	f := trustFolder{filepath.Join(t.TempDir(), "verbatim")}
	a, b := filepath.Join(t.TempDir(), "a b.toml"), filepath.Join(t.TempDir(), "b.toml")
	if f.trusts(a, []byte("1")) {
		t.Error("a file is trusted before the user has trusted it")
	}
	for _, path := range []string{a, b} {
		if err := f.trust(path, []byte("1")); err != nil {
			t.Fatal(err)
		}
	}
	if !f.trusts(a, []byte("1")) || !f.trusts(b, []byte("1")) || f.trusts(a, []byte("2")) || f.trusts(a+"x", []byte("1")) {
		t.Error("wrong files are trusted")
	}
	if err := f.trust(a, []byte("2")); err != nil || f.trusts(a, []byte("1")) || !f.trusts(a, []byte("2")) || !f.trusts(b, []byte("1")) {
		t.Errorf("after a change: %v", err)
	}
	if err := (trustFolder{}).trust(a, nil); err == nil || (trustFolder{}).trusts(a, nil) {
		t.Error("trust without a folder")
	}
	if err := f.trust("a\nb", nil); err == nil {
		t.Error("a path of two lines")
	}
}

// TestTrustRace: of many processes that trust a file at the same moment each one is obeyed.
func TestTrustRace(t *testing.T) {
	f := trustFolder{filepath.Join(t.TempDir(), "verbatim")}
	name := func(i int) string { return filepath.Join(f.path, strconv.Itoa(i)) }
	var all sync.WaitGroup
	for i := range 32 {
		all.Go(func() {
			if err := f.trust(name(i), nil); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	for i := range 32 {
		if !f.trusts(name(i), nil) {
			t.Errorf("file %d is not trusted", i)
		}
	}
}

// TestTrustAfterTornLine: a command that was interrupted while it wrote its line takes no other
// line with it.
func TestTrustAfterTornLine(t *testing.T) {
	f := trustFolder{t.TempDir()}
	a, b := filepath.Join(f.path, "a"), filepath.Join(f.path, "b")
	line, err := trustLine(a, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(f.Path(trustedName), []byte(line[:len(line)-1]), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := f.trust(b, nil); err != nil || f.trusts(a, nil) || !f.trusts(b, nil) {
		t.Errorf("a trusted %t, b trusted %t, %v", f.trusts(a, nil), f.trusts(b, nil), err)
	}
}
