package cli

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// readers are the commands that read whole runs; DB, OUT and ITEMS are filled in. What they
// print is compared whole, or the file that they write.
var readers = [][]string{
	{"export", "1"},
	{"export", "1", "2", "-o", "OUT"},
	{"export", "1", "--format", "csv"},
	{"export", "1", "--format", "inspect", "-o", "OUT.json"},
	{"export", "1", "--format", "simpe", "-o", "OUT/"},
	{"export", "1", "--format", "lm-eval", "-o", "OUT/"},
	{"report", "1"},
	{"report", "1", "--metric", "similarity", "--format", "csv"},
	{"report", "1", "2", "--json"},
	{"compare", "1", "2"},
	{"show", "1"},
	{"show", "1", "--label", "dropped_char", "--full"},
	{"check", "--baseline", "1", "--model", "sim:sloppy", "--quiet", "-j", "1"},
	{"run", "--quiet", "--model", "sim:sloppy", "--task", "reverse,copy", "--length", "8,16,32", "--items", "ITEMS"},
	{"regrade", "1", "--json"},
	{"runs", "--verify"},
}

// A damager spoils a copy of a database. Only a changed byte can leave a text or a
// number that is another one: everything else is seen by every reader.
type damager struct {
	name   string
	spoil  func(r *rand.Rand, b []byte) []byte
	values bool
}

const pageSize = 4096

var damagers = []damager{
	{"cut short", func(r *rand.Rand, b []byte) []byte { return b[:100+r.IntN(len(b)-100)] }, false},
	{"a page of zeros", func(r *rand.Rand, b []byte) []byte {
		clear(b[r.IntN(len(b)/pageSize)*pageSize:][:pageSize])
		return b
	}, false},
	{"a page of garbage", func(r *rand.Rand, b []byte) []byte {
		page := b[r.IntN(len(b)/pageSize)*pageSize:][:pageSize]
		for i := range page {
			page[i] = byte(r.Uint32())
		}
		return b
	}, false},
	{"another page's bytes", func(r *rand.Rand, b []byte) []byte {
		n := len(b) / pageSize
		copy(b[r.IntN(n)*pageSize:][:pageSize], b[r.IntN(n)*pageSize:][:pageSize])
		return b
	}, true},
	{"changed bits", func(r *rand.Rand, b []byte) []byte {
		for range 1 << r.IntN(5) {
			b[r.IntN(len(b))] ^= 1 << r.IntN(8)
		}
		return b
	}, true},
}

// TestDamagedDatabase damages a database of two runs of 360 records in 20 ways, with
// VERBATIM_EXHAUSTIVE in 100, and with VERBATIM_EXHAUSTIVE=all one of 1,200 records in
// 300. Each command that reads it then prints exactly what it prints of the undamaged
// one, or gives an error and exit code 1 or 2: never less with exit code 0, and no
// panic. Where single values were changed, which SQLite does not notice, there are as
// many records as before.
func TestDamagedDatabase(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("-short: it only computes")
	}
	items := "60"
	if os.Getenv("VERBATIM_EXHAUSTIVE") == "all" {
		items = "200"
	}
	dir := t.TempDir()
	whole := filepath.Join(dir, "whole.db")
	for _, model := range []string{"sim:sloppy", "sim:careful?cut=0.02"} {
		r := invoke(t, whole, "run", "--quiet", "--model", model, "--task", "reverse,copy", "--length", "8,16,32", "--items", items, "--max-attempts", "2")
		if r.code == Usage {
			t.Fatal(r.err)
		}
	}
	good, err := os.ReadFile(whole)
	if err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(whole + "-wal"); err == nil && info.Size() > 0 {
		t.Fatal("the log is not folded into the file")
	}
	db := filepath.Join(dir, "x.db")
	read := func(spoiled []byte, args []string) (ran, string) {
		for _, end := range []string{"-wal", "-shm"} {
			os.Remove(db + end)
		}
		if err := os.WriteFile(db, spoiled, 0o666); err != nil {
			t.Fatal(err)
		}
		out := filepath.Join(dir, "out")
		os.RemoveAll(out)
		os.Remove(out + ".json")
		fill := strings.NewReplacer("OUT", out, "ITEMS", items)
		var words []string
		for _, w := range args {
			words = append(words, fill.Replace(w))
		}
		r := invoke(t, db, words...)
		return r, r.out + files(t, out) + files(t, out+".json")
	}
	want := map[string]string{}
	for _, args := range readers {
		r, text := read(good, args)
		if r.code != 0 || text == "" {
			t.Fatalf("%q: exit code %d\n%s", args, r.code, r.err)
		}
		want[fmt.Sprint(args)] = text
	}
	random := rand.New(rand.NewPCG(1, 2))
	rounds := map[string]int{"": 20, "all": 300}[os.Getenv("VERBATIM_EXHAUSTIVE")]
	if rounds == 0 {
		rounds = 100
	}
	same, refused, other := 0, 0, 0
	for n := range rounds {
		d := damagers[n%len(damagers)]
		spoiled := d.spoil(random, bytes.Clone(good))
		for _, args := range [][]string{readers[n%len(readers)], readers[(n/len(readers)+3*n+1)%len(readers)]} {
			r, text := read(spoiled, args)
			before := want[fmt.Sprint(args)]
			switch {
			case r.code != 0:
				if r.code != Failed && r.code != Usage || !strings.Contains(r.err, "hint") {
					t.Errorf("%s, %q: exit code %d, without what to do\n%s", d.name, args, r.code, r.err)
				}
				refused++
			case text == before:
				same++
			case d.values && 20*strings.Count(text, "\n") >= 17*strings.Count(before, "\n"):
				other++ // a group that lost its records to another has fewer numbers in the JSON of a report
			default:
				t.Errorf("%d: %s, %q: exit code 0 and another output, of %d bytes instead of %d", n, d.name, args, len(text), len(before))
			}
		}
	}
	t.Logf("%d times the same, %d times an error, %d times another value", same, refused, other)
	if same < rounds/20 || refused < rounds/2 {
		t.Error("too few of a kind")
	}
}

// files returns all files below a path, one after the other.
func files(t *testing.T, path string) string {
	t.Helper()
	var all strings.Builder
	filepath.WalkDir(path, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return nil
		}
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		all.Write(b)
		return nil
	})
	return all.String()
}
