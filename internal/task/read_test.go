package task

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"math/big"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim"
)

// knownGrader replaces the check of package grade.
func knownGrader(it *verbatim.Item) error {
	if it.Grader != "" && !slices.Contains([]string{"text", "list", "integer", "sortbench"}, it.Grader) {
		return fmt.Errorf("there is no grader %q", it.Grader)
	}
	return nil
}

const pngBytes = "\x89PNG\r\n\x1a\n and so on"

func TestReadNamesBadLines(t *testing.T) {
	dir := t.TempDir()
	writeItemTo(t, filepath.Join(dir, "note.txt"), "no image")
	const ok = `{"id":"first","prompt":"Say a.","want":"a"}`
	lines := []struct{ line, reason string }{
		{ok, ""},
		{`{"id":"b","prompt":"Say b."}`, `"want" is missing`},
		{`{"id":"c","prompt":"Say c.","want":null}`, `"want" is missing`},
		{`{"id":"d","prompt":"Say d.","want":"d"`, "ends too soon"},
		{`{"id":"d"`, "ends too soon"},
		{`{"id":"d" "want"}`, "not a JSON object: invalid character"},
		{`{`, "ends too soon"},
		{`{"id":"e","prompt":"Say e.","wnat":"e"}`, `no field "wnat": did you mean "want"?`},
		{`{"id":"e","prompt":"Say e.","want":"e","something":"e"}`, `no field "something": the fields are accept, facts, grader, id`},
		{`{"id":"e","prompt":"Say e.","want":"e","want":"f"}`, `two fields "want"`},
		{ok, "line 1 already"},
		{`{"id":null,"prompt":"Say f.","want":"f"}`, `"id" is missing`},
		{`{"id":"","prompt":"Say f.","want":"f"}`, `"id" is missing`},
		{`{"id":"f\u001b[1m","prompt":"Say f.","want":"f"}`, `cannot be seen`},
		{`{"id":"f\u202eg","prompt":"Say f.","want":"f"}`, `cannot be seen`},
		{`{"id":"f\u2028g","prompt":"Say f.","want":"f"}`, `cannot be seen`},
		{`{"id":"` + strings.Repeat("f", 10_000_000) + `","prompt":"Say f.","want":"f"}`, `10000000 bytes`},
		{`{"id":"f","prompt":"Say f.","want":` + strings.Repeat("[", 1_000_000) + strings.Repeat("]", 1_000_000) + `}`, `max depth`},
		{`{"id":"f","prompt":"Say f.","want":[` + strings.Repeat("9", 1_000_000) + `]}`, `more than 100000 digits`},
		{`{"id":"f","prompt":"Say f.","want":[1e999999999]}`, `not a float64`},
		{`{"id":"g","want":"g"}`, `"messages" (or "prompt")`},
		{`{"id":"g","messages":[],"want":"g"}`, `"messages" (or "prompt")`},
		{`{"id":"g","prompt":"","want":"g"}`, `"messages" (or "prompt")`},
		{`{"id":"g","prompt":" \n","want":"g"}`, `message 1 is empty`},
		{`{"id":"g","messages":[{"role":"user","content":"x"},{"role":"user","content":""}],"want":"g"}`, `message 2 is empty`},
		{`{"id":"h","prompt":"x","messages":[{"role":"user","content":"x"}],"want":"h"}`, "leave one out"},
		{`{"id":"i","messages":[{"role":"robot","content":"x"}],"want":"h"}`, `"robot"`},
		{`{"id":"i","messages":[{"content":"x"}],"want":"h"}`, `the role is ""`},
		{`{"id":"i","messages":[{"role":"user","context":"x"}],"want":"h"}`, `"context"`},
		{`{"id":"i","messages":"x","want":"h"}`, `"messages" holds a JSON string`},
		{`{"id":"j","messages":[{"role":"user","content":[]}],"want":"h"}`, "message 1 is empty"},
		{`{"id":"j","messages":[{"role":"user","content":[5]}],"want":"h"}`, "content part 0"},
		{`{"id":"k","messages":[{"role":"user","content":[{"image":"none.png"}]}],"want":"h"}`, "none.png"},
		{`{"id":"l","messages":[{"role":"user","content":["x",{"image":"note.txt"}]}],"want":"h"}`, "not a PNG"},
		{`{"id":"l","messages":[{"role":"user","content":[{"image":"."}]}],"want":"h"}`, "not a file"},
		{`{"id":"m","prompt":"x","want":"h","grader":"judge"}`, `"judge"`},
		{`{"id":"m","prompt":"x","want":"h","grader":["text"]}`, `"grader" holds a JSON array`},
		{`{"id":"p","prompt":"x","want":{"a":1}}`, `"want": an answer must be a string or an array`},
		{`{"id":"p","prompt":"x","want":true}`, `"want": an answer must be a string or an array`},
		{`{"id":"p","prompt":"x","want":[{"a":1}]}`, `"want": element 0`},
		{`{"id":"p","prompt":"x","want":[1e999]}`, `1e999`},
		{`{"id":"p","prompt":"x","want":""}`, "an empty reply would be right"},
		{`{"id":"p","prompt":"x","want":"a\n"}`, "white space"},
		{`{"id":"p","prompt":"x","want":"\u001ca"}`, "white space"},
		{`{"id":"p","prompt":"x","want":"a","facts":{"length":16}}`, `"facts" is an object whose values are strings`},
		{`{"id":"q","prompt":"x","want":"h"} {"id":"r"}`, "more on the line"},
		{`{"id":[5],"prompt":"x","want":"h"}`, `"id" holds a JSON array`},
		{"{\"id\":\"u\",\"prompt\":\"\xff\",\"want\":\"h\"}", "byte 21 is not UTF-8"},
		{`{"id":"u","prompt":"x","want":"h\ud83d"}`, `\ud83d at byte 33 is one half`},
		{`{"id":"u","prompt":"x","want":"\ude00\ud83d"}`, `\ude00 at byte 32 is one half`},
		{`[1]`, "not a JSON object"},
		{`"text"`, "not a JSON object"},
	}
	var all []byte
	for i, l := range lines {
		data := []byte(ok + "\n\n" + l.line + "\r\n")
		if i == 0 {
			data = []byte("\ufeff" + ok)
		}
		if l.reason != "line 1 already" {
			data = bytes.Replace(data, []byte("first"), []byte("zeroth"), 1)
		}
		all = append(append(all, l.line...), '\n')
		_, _, err := ReadItems("mine.jsonl", data, dir, new(Fields), knownGrader)
		bad, _ := errors.AsType[*linesError](err)
		switch {
		case l.reason == "":
			if err != nil {
				t.Errorf("%s: %v", l.line, err)
			}
		case bad == nil || bad.Count != 1 || !strings.HasPrefix(bad.Lines[0].Error(), "line 3: ") || !strings.Contains(bad.Lines[0].Error(), l.reason):
			t.Errorf("%s: %v, want line 3 and %q", l.line, err, l.reason)
		}
	}
	_, _, err := ReadItems("mine.jsonl", all, dir, new(Fields), knownGrader)
	bad, ok2 := errors.AsType[*linesError](err)
	if !ok2 || bad.Count != len(lines)-1 || len(bad.Lines) != 20 || !strings.Contains(err.Error(), fmt.Sprintf("and %d more", len(lines)-21)) {
		t.Errorf("%v", err)
	}
}

// TestRead reads every kind of field.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	writeItemTo(t, filepath.Join(dir, "a.png"), pngBytes)
	const lines = `{"id": "capital-1", "prompt": "Spell PARIS backwards.", "want": "SIRAP", "source": "PARIS"}

{"id":"é","messages":[{"role":"system","content":"Sort."},{"role":"user","content":["x",{"image":"a.png"}]}],"want":[1,1.0,"\ud83d\ude00 \\ud83d"],"facts":{"family":"mine","length":"7","more":"x"},"grader":"list"}
{"id":"c","prompt":"Same picture.","messages":null,"want":"c é","source":null,"facts":null}`
	file, items, err := ReadItems("mine.jsonl", []byte(lines), dir, new(Fields), knownGrader)
	if err != nil {
		t.Fatal(err)
	}
	picture := verbatim.Part{Image: &verbatim.Image{Path: "a.png", Media: "image/png", Bytes: []byte(pngBytes)}}
	source := verbatim.TextAnswer("PARIS")
	want := []verbatim.Item{
		{ID: "capital-1", Prompt: verbatim.Prompt{textMessage("user", "Spell PARIS backwards.")}, Want: verbatim.TextAnswer("SIRAP"), Source: &source, Facts: map[string]string{"family": "items", "length": "5"}},
		{ID: "é", Prompt: verbatim.Prompt{textMessage("system", "Sort."), {Role: "user", Content: []verbatim.Part{{Text: "x"}, picture}}},
			Want: verbatim.ListAnswer([]any{int64(1), 1.0, "\U0001F600 \\ud83d"}), Facts: map[string]string{"family": "mine", "length": "7", "more": "x"}, Grader: "list"},
		{ID: "c", Prompt: verbatim.Prompt{textMessage("user", "Same picture.")}, Want: verbatim.TextAnswer("c é"), Facts: map[string]string{"family": "items", "length": "3"}},
	}
	if diff := cmp.Diff(want, items); diff != "" {
		t.Errorf("(- want, + read)\n%s", diff)
	}
	digest := sha256.Sum256([]byte(pngBytes))
	if sum := fmt.Sprintf("%x", sha256.Sum256(append([]byte(lines), digest[:]...))); file.Name != "mine.jsonl" || file.N != 3 || file.SHA256 != sum {
		t.Errorf("the file is %+v, want %s", file, sum)
	}
}

// An item names images in the folder of its file and below, and nothing else: what
// it names is sent to a server.
func TestImagesStayInFolder(t *testing.T) {
	top := t.TempDir()
	dir := filepath.Join(top, "items")
	if err := os.MkdirAll(filepath.Join(dir, "below"), 0o755); err != nil {
		t.Fatal(err)
	}
	writeItemTo(t, filepath.Join(top, "private.png"), pngBytes)
	writeItemTo(t, filepath.Join(dir, "below", "a.png"), pngBytes)
	if err := os.Symlink(filepath.Join(top, "private.png"), filepath.Join(dir, "link.png")); err != nil {
		t.Skip("this system has no links")
	}
	if err := os.Symlink(filepath.Join("below", "a.png"), filepath.Join(dir, "inside.png")); err != nil {
		t.Fatal(err)
	}
	for path, ok := range map[string]bool{"below/a.png": true, "./below/../below/a.png": true, "inside.png": true, "private.png": false, "below/../../private.png": false,
		filepath.ToSlash(filepath.Join(top, "private.png")): false, "link.png": false} {
		line := fmt.Sprintf(`{"id":"1","messages":[{"role":"user","content":[{"image":%q}]}],"want":"x"}`, path)
		if _, _, err := ReadItems("x", []byte(line), dir, new(Fields), knownGrader); (err == nil) != ok {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// TestImagesAreReadOnce wants items about one picture to share it, and a changed
// picture to change the hash of the file.
func TestImagesAreReadOnce(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "a.png")
	writeItemTo(t, path, pngBytes)
	var lines []byte
	for i := range 3 {
		lines = fmt.Appendf(lines, `{"id":"%d","messages":[{"role":"user","content":[{"image":"a.png"}]}],"want":"x"}`+"\n", i)
	}
	file, items, err := ReadItems("x", lines, dir, new(Fields), knownGrader)
	if err != nil {
		t.Fatal(err)
	}
	if a, b := items[0].Prompt[0].Content[0].Image, items[2].Prompt[0].Content[0].Image; a != b {
		t.Error("the picture was read twice")
	}
	writeItemTo(t, path, pngBytes+"!")
	again, _, err := ReadItems("x", lines, dir, new(Fields), knownGrader)
	if err != nil || again.SHA256 == file.SHA256 {
		t.Errorf("another picture has the same hash (%v)", err)
	}
	if err := os.Truncate(path, mostImage+1); err != nil {
		t.Fatal(err)
	}
	if _, _, err := ReadItems("x", lines, dir, new(Fields), knownGrader); err == nil || !strings.Contains(err.Error(), "larger than 32 MiB") {
		t.Error(err)
	}
	for start, media := range map[string]string{"\xff\xd8\xff": "image/jpeg", "RIFF....WEBPx": "image/webp", "GIF89a": "", "": ""} {
		if got := mediaType([]byte(start)); got != media {
			t.Errorf("%q is %q, want %q", start, got, media)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte(`{"id":"a","prompt":"x","want":[1,2.0,"a",[null,true]],"facts":{"family":"z"}}`))
	f.Add([]byte("{\"id\":\"a\",\"messages\":[{\"role\":\"user\",\"content\":[\"x\",\"y\"]}],\"want\":\"\\ud83d\\ude00\"}\n\n{}"))
	f.Add([]byte(`{"id":"a","prompt":"\\ud800","want":"\ud800\udc00"}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, items, err := ReadItems("x", data, ".", new(Fields), knownGrader)
		if err != nil {
			return
		}
		var b bytes.Buffer
		for i := range items {
			if err := WriteItem(&b, &items[i]); err != nil {
				t.Fatal(err)
			}
		}
		_, again, err := ReadItems("x", b.Bytes(), ".", new(Fields), knownGrader)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if diff := cmp.Diff(items, again, cmp.Comparer(func(a, b *big.Int) bool { return a.Cmp(b) == 0 })); diff != "" {
			t.Error(diff)
		}
	})
}

func writeItemTo(t *testing.T, path, content string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
}

// textMessage returns a message of one text.
