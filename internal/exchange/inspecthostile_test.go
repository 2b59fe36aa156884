package exchange_test

import (
	"archive/zip"
	"bytes"
	"encoding/binary"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/exhaustive"
)

// An archive that unpacks to more than can be a sample is refused before it fills
// the memory, and so is a document with a piece of that size.
func TestHugeInspect(t *testing.T) {
	const short, long = 1 << 20, 65 << 20
	head := `{` + someHead + `}`
	padded := strings.Repeat(" ", short-len(right)) + right
	for name, content := range map[string]string{
		"untrue":   saying(inspectArchive(t, zstd.ZipMethodWinZip, "header.json", head, "samples/1_epoch_1.json", padded), short, 100),
		"true":     saying(inspectArchive(t, zip.Deflate, "header.json", head, "samples/1_epoch_1.json", padded), short, long),
		"document": `{` + someHead + `, "samples": [` + strings.Repeat(" ", long) + right + `]}`,
	} {
		if name == "document" && !exhaustive.All() {
			continue // it is as long as the other one, and not compressed
		}
		path := filepath.Join(t.TempDir(), name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		_, err := exchange.ReadInspect(path)
		want := "more than 64 MB"
		if name == "untrue" {
			want = "not a valid zip file" // the archive's reader stops at the size that the archive states
		}
		wantError(t, err, name, want)
	}
}

// saying is an archive that says of a member of one size that it has another.
func saying(archive string, size, message uint32) string {
	var is, says [4]byte
	binary.LittleEndian.PutUint32(is[:], size)
	binary.LittleEndian.PutUint32(says[:], message)
	return strings.ReplaceAll(archive, string(is[:]), string(says[:]))
}

// Names in an archive never lead out of the folder that it is unpacked into.
func TestInspectNamesOfMembers(t *testing.T) {
	var recs []verbatim.Record
	for i, id := range []string{"../../etc/x", "/root", `a\..\b`, "a//b", "reverse@1/len=8/seed=1/0", "simpe:reversal/ab", "x\x00"} {
		recs = append(recs, verbatim.Record{Seq: int64(i), Item: &verbatim.Item{ID: id}, Outcome: verbatim.Skipped})
	}
	run := someRun(recs)
	var b bytes.Buffer
	if err := exchange.WriteInspect(&b, &run, true); err != nil {
		t.Fatal(err)
	}
	z, err := zip.NewReader(bytes.NewReader(b.Bytes()), int64(b.Len()))
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for _, f := range z.File {
		if !filepath.IsLocal(f.Name) || strings.ContainsAny(f.Name, "\\\x00") {
			t.Errorf("the archive has a member %q", f.Name)
		}
		if strings.HasPrefix(f.Name, "samples/reverse@1/len=8/seed=1/0_") || strings.HasPrefix(f.Name, "samples/simpe:reversal/ab_") {
			whole++
		}
	}
	if whole != 2 || len(z.File) != len(recs)+3 {
		t.Errorf("%d members, %d with the name of their item", len(z.File), whole)
	}
	path := filepath.Join(tree(t, map[string]string{"r.eval": b.String()}), "r.eval")
	back, err := exchange.ReadInspect(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, rec := range collect(t, back[0]) {
		if rec.Item.ID != recs[i].Item.ID {
			t.Errorf("item %q came back as %q", recs[i].Item.ID, rec.Item.ID)
		}
	}
}

// A note that names an impossible plan is not taken for ours.
func TestInspectNoteOfARun(t *testing.T) {
	run := someRun([]verbatim.Record{{Item: &verbatim.Item{ID: "a", Want: verbatim.TextAnswer("x")}, Outcome: verbatim.Skipped}})
	for _, count := range []int64{1, -1, 1 << 33} {
		run.Plan.Count = count
		var b bytes.Buffer
		if err := exchange.WriteInspect(&b, &run, false); err != nil {
			t.Fatal(err)
		}
		got, err := exchange.ReadInspect(filepath.Join(tree(t, map[string]string{"r.json": b.String()}), "r.json"))
		if err != nil {
			t.Fatal(err)
		}
		if ours := got[0].Plan.Suite == "quick"; ours != (count == 1) || got[0].Plan.Count > 4 || got[0].Plan.Count < 1 {
			t.Errorf("%d requests: plan %+v", count, got[0].Plan)
		}
	}
}
