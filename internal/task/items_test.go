package task

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"verbatim"
)

var graders = []string{"text", "list", "integer", "sortbench"}

func TestReadItemsNamesBadLines(t *testing.T) {
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "note.txt"), []byte("no image"), 0o666); err != nil {
		t.Fatal(err)
	}
	const ok = `{"id":"%","prompt":"Say a.","want":"a"}`
	lines := []struct{ line, reason string }{
		{strings.ReplaceAll(ok, "%", "first"), ""},
		{`{"id":"b","prompt":"Say b."}`, `"want" is missing`},
		{`{"id":"c","prompt":"Say c.","want":null}`, `"want" is missing`},
		{`{"id":"d","prompt":"Say d.","want":"d"`, "not a JSON object"},
		{`{"id":"e","prompt":"Say e.","want":"e","wnat":"e"}`, `"wnat"`},
		{strings.ReplaceAll(ok, "%", "first"), "line 1 already"},
		{`{"prompt":"Say f.","want":"f"}`, `"id" is missing`},
		{`{"id":"g","want":"g"}`, `"messages" (or "prompt")`},
		{`{"id":"h","prompt":"x","messages":[{"role":"user","content":"x"}],"want":"h"}`, "leave one out"},
		{`{"id":"i","messages":[{"role":"robot","content":"x"}],"want":"h"}`, `"robot"`},
		{`{"id":"j","messages":[{"role":"user","content":[]}],"want":"h"}`, "no content"},
		{`{"id":"k","messages":[{"role":"user","content":[{"image":"none.png"}]}],"want":"h"}`, "none.png"},
		{`{"id":"l","messages":[{"role":"user","content":[{"image":"note.txt"}]}],"want":"h"}`, "not a PNG"},
		{`{"id":"m","prompt":"x","want":"h","grader":"judge"}`, `"judge"`},
		{`{"id":"n","prompt":"x","want":"h","grader":"list"}`, "a string"},
		{`{"id":"o","prompt":"x","want":[1],"grader":"text"}`, "a list"},
		{`{"id":"p","prompt":"x","want":{"a":1}}`, "string or an array"},
		{`{"id":"q","prompt":"x","want":"h"} {"id":"r"}`, "more on the line"},
		{`{"id":5,"prompt":"x","want":"h"}`, `"id"`},
		{`[1]`, "array"},
	}
	var data []byte
	for _, l := range lines {
		data = append(data, l.line+"\n\n"...)
	}
	_, _, err := ReadItems("mine.jsonl", data, dir, graders)
	var bad *LinesError
	if !errors.As(err, &bad) {
		t.Fatal(err)
	}
	reported := map[int]string{}
	for i, l := range lines {
		for _, e := range bad.Lines {
			if strings.HasPrefix(e.Error(), fmt.Sprintf("line %d:", 2*i+1)) {
				reported[i] = e.Error()
			}
		}
		if (reported[i] != "") != (l.reason != "") || !strings.Contains(reported[i], l.reason) {
			t.Errorf("%s: reported %q, want %q", l.line, reported[i], l.reason)
		}
	}
	if bad.Count != len(lines)-1 {
		t.Errorf("%d bad lines, want %d", bad.Count, len(lines)-1)
	}
}

// TestWriteItemReads writes items of every family and reads them back.
func TestWriteItemReads(t *testing.T) {
	var b bytes.Buffer
	var want []verbatim.Item
	for _, f := range Families() {
		it := mustDraw(t, f, knobs(8, verbatim.Standard), 2, 1)
		want = append(want, it)
		if err := WriteItem(&b, &it); err != nil {
			t.Fatal(err)
		}
	}
	file, got, err := ReadItems("x", b.Bytes(), ".", graders)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" || file.N != len(want) {
		t.Errorf("items changed on the way (- written, + read):\n%s", diff)
	}
}

// TestRelease writes a fresh release and reads it as lists of its own.
func TestRelease(t *testing.T) {
	for _, e := range verbatim.Editions() {
		dir := t.TempDir()
		if err := WriteSortBench(dir, 2026, e); err != nil {
			t.Fatal(err)
		}
		_, items, err := PublishedLists(dir)
		if err != nil || len(items) != 1440 {
			t.Fatalf("%d items, %v", len(items), err)
		}
		if !strings.HasPrefix(items[0].ID, "sortbench:v1.0-") {
			t.Errorf("%s has the id of a published list", items[0].ID)
		}
	}
}

func TestPublishedListsErrors(t *testing.T) {
	dir := t.TempDir()
	if _, _, err := PublishedLists(dir); err == nil || !strings.Contains(err.Error(), "no lists") {
		t.Error(err)
	}
	for content, want := range map[string]string{`{"list_1": [1, "a"]}`: "another type", `{"list_1": [1`: "unexpected", `{"list_1": "x"}`: "not a list", `{"list_1": [[1]]}`: "item 1"} {
		if err := os.WriteFile(filepath.Join(dir, "sortbench_basic_v1.0_English_002.json"), []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		if _, _, err := PublishedLists(dir); err == nil || !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "English_002") {
			t.Errorf("%s: %v", content, err)
		}
	}
}

func FuzzReadItems(f *testing.F) {
	f.Add([]byte(`{"id":"a","prompt":"x","want":[1,2.0,"a",[null,true]],"facts":{"family":"z"}}`))
	f.Add([]byte("{\"id\":\"a\",\"messages\":[{\"role\":\"user\",\"content\":[\"x\",\"y\"]}],\"want\":\"\\ud800\"}\n\n{}"))
	f.Fuzz(func(t *testing.T, data []byte) {
		_, items, err := ReadItems("x", data, "testdata", graders)
		if err != nil {
			return
		}
		var b bytes.Buffer
		for i := range items {
			if err := WriteItem(&b, &items[i]); err != nil {
				t.Fatal(err)
			}
		}
		_, again, err := ReadItems("x", b.Bytes(), "testdata", graders)
		if err != nil {
			t.Fatalf("what was written cannot be read: %v", err)
		}
		if diff := cmp.Diff(items, again, cmp.Comparer(func(a, b float64) bool { return a == b })); diff != "" {
			t.Error(diff)
		}
	})
}
