package task

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	imagedraw "image/draw"
	pngfile "image/png"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/testmain"
)

var update = flag.Bool("update", false, "rewrite the golden items")

func fixedLength(n int) verbatim.Lengths { return verbatim.Lengths{Min: n, Max: n} }

func parameters(n int, e verbatim.Edition) verbatim.Parameters {
	return verbatim.Parameters{Length: fixedLength(n), Edition: e}
}

// within is the length nearest to n that the family has.
func within(f verbatim.Family, n int) int {
	if n = max(n, f.Min); f.Max > 0 {
		n = min(n, f.Max)
	}
	return n
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

func mustDraw(t testing.TB, f verbatim.Family, k verbatim.Parameters, seed uint64, index int) verbatim.Item {
	t.Helper()
	it, err := drawItem(f, k, seed, index)
	if err != nil {
		t.Fatalf("%s: %v", ID(f, k, seed, index), err)
	}
	return it
}

// everyLength calls visit with the parameters of every family, edition and length of
// its ladder.
func everyLength(visit func(f verbatim.Family, k verbatim.Parameters)) {
	for _, f := range Families() {
		for _, e := range verbatim.Editions() {
			for _, n := range f.DefaultLengths {
				visit(f, parameters(n, e))
			}
		}
	}
}

func asked(it verbatim.Item) string { return shown(it.Prompt[len(it.Prompt)-1]) }

// shown is a message's text, and the hashes of its pictures.
func shown(m verbatim.Message) string {
	text := m.Content[0].Text
	for _, part := range m.Content[1:] {
		text += fmt.Sprintf(" (%x)", sha256.Sum256(part.Image.Bytes))
	}
	return text
}

// TestGolden pins items of every family and edition: the same id must always be the
// same item.
func TestGolden(t *testing.T) {
	for _, f := range Families() {
		var b bytes.Buffer
		for _, e := range verbatim.Editions() {
			for _, k := range []verbatim.Parameters{parameters(f.DefaultLengths[0], e), parameters(within(f, 8), e), {Length: verbatim.Lengths{Min: within(f, 6), Max: within(f, 30)}, Edition: e}} {
				for index := range 2 {
					if k.Length.Min < f.Min || strings.HasSuffix(f.Name, "-duplicate") && k.Length.Min != k.Length.Max {
						continue // there are no such items, as of an odd number of items in pairs
					}
					it := mustDraw(t, f, k, 1, index)
					writePinned(t, &b, &it)
				}
			}
		}
		golden(t, filepath.Join("testdata", "golden", f.Name+".jsonl"), b.Bytes(), "raise its Version")
	}
}

// writePinned writes an item, or the hash of one that is long.
func writePinned(t *testing.T, b *bytes.Buffer, it *verbatim.Item) {
	t.Helper()
	var line bytes.Buffer
	if err := WriteItem(&line, it); err != nil {
		t.Fatal(err)
	}
	line = *bytes.NewBuffer(pinPixels(t, line.Bytes()))
	if line.Len() > 6000 {
		fmt.Fprintf(b, "{\"id\":%q,\"sha256\":\"%x\"}\n", it.ID, sha256.Sum256(line.Bytes()))
		return
	}
	b.Write(line.Bytes())
}

// pinPixels replaces the pictures of items by the hashes of their pixels, which stay the same
// where a library writes PNG files in another way.
func pinPixels(t *testing.T, lines []byte) []byte {
	t.Helper()
	return regexp.MustCompile(`data:image/png;base64,[^"]*`).ReplaceAllFunc(lines, func(uri []byte) []byte {
		data, err := base64.StdEncoding.DecodeString(string(uri[len("data:image/png;base64,"):]))
		if err != nil {
			t.Fatal(err)
		}
		img, err := pngfile.Decode(bytes.NewReader(data))
		if err != nil {
			t.Fatal(err)
		}
		all := image.NewNRGBA(img.Bounds())
		imagedraw.Draw(all, all.Rect, img, image.Point{}, imagedraw.Src)
		return fmt.Appendf(nil, "pixels:%d:%x", all.Rect.Dx(), sha256.Sum256(all.Pix))
	})
}

// golden compares items with those of a file, or writes the file. Another item under an
// old id is an error in any case; remedy says what to do then.
func golden(t *testing.T, path string, got []byte, remedy string) {
	t.Helper()
	old, err := os.ReadFile(path)
	switch {
	case err == nil && bytes.Equal(got, old):
		return
	case err == nil && sameIDs(t, old, got):
		t.Errorf("there are other items than those in %s under the same ids: %s, then run with -update", path, remedy)
		return
	case !*update:
		t.Errorf("%s is not what is drawn now (%v): run with -update", path, err)
		return
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, got, 0o666); err != nil {
		t.Fatal(err)
	}
}

// sameIDs reports whether an item of one file is another one in the other.
func sameIDs(t *testing.T, a, b []byte) bool {
	t.Helper()
	lines := map[string]string{}
	for i, data := range [][]byte{a, b} {
		for line := range bytes.Lines(data) {
			var it struct{ ID string }
			if err := json.Unmarshal(line, &it); err != nil {
				t.Fatal(err)
			}
			if old, ok := lines[it.ID]; i == 1 && ok && old != string(line) {
				return true
			}
			lines[it.ID] = string(line)
		}
	}
	return false
}

// TestFamilies checks what the program relies on in every family, and that the
// families of the published benchmarks are there.
func TestFamilies(t *testing.T) {
	names, modes := map[string]string{}, map[string]int{}
	for _, f := range Families() {
		for _, rule := range []struct {
			ok  bool
			say string
		}{
			{f.Version >= 1, "Version must be at least 1"},
			{f.Doc != "", "Doc is missing: what is asked, in a few words"},
			{f.Unit != "", "Unit is missing: what a length counts"},
			{f.Max == 0 || f.Max >= f.DefaultLengths[len(f.DefaultLengths)-1], "Max must be 0 or at least the greatest of the DefaultLengths"},
			{len(f.DefaultLengths) >= 4, "DefaultLengths must have at least four lengths, for curves over the length"},
			{len(f.DefaultLengths) > 0 && f.DefaultLengths[0] >= 2, "DefaultLengths must start at 2 or above"},
			{len(f.Wordings) > 0, "Wordings are missing"},
			{!slices.ContainsFunc(f.Knobs, func(k verbatim.Knob) bool { return len(k.Values) < 2 }), "a knob needs two values or more"},
		} {
			if !rule.ok {
				t.Errorf("family %s: %s", f.Name, rule.say)
			}
		}
		for _, name := range slices.Concat([]string{f.Name, f.Task}, f.Aliases) {
			if other := names[name]; name != "" && other != "" {
				t.Errorf("%s and %s are both called %s", other, f.Name, name)
			}
			names[name] = f.Name
		}
		modes[f.Mode]++
	}
	for _, name := range []string{"copy", "reverse", "add"} {
		if names[name] != name {
			t.Errorf("there is no family %s", name)
		}
	}
	if modes["basic"] != 3 || modes["advanced"] != 9 || modes["debug"] != 6 {
		t.Errorf("families by mode of SortBench: %v", modes)
	}
}

// TestRepeated draws every item twice, the second time after others.
func TestRepeated(t *testing.T) {
	first := map[string]string{}
	for range 2 {
		everyLength(func(f verbatim.Family, k verbatim.Parameters) {
			it := mustDraw(t, f, k, 9, 4)
			line := string(must(json.Marshal(it)))
			if was := first[it.ID]; was != "" && was != line {
				t.Errorf("%s is not the same when it is drawn again", it.ID)
			}
			first[it.ID] = line
		})
	}
	if len(first) < 800 {
		t.Errorf("only %d items were drawn", len(first))
	}
}

// TestEmptyEdition wants the standard edition where none is named.
func TestEmptyEdition(t *testing.T) {
	for _, f := range Families() {
		a, b := mustDraw(t, f, parameters(within(f, 4), ""), 1, 0), mustDraw(t, f, parameters(within(f, 4), verbatim.Standard), 1, 0)
		if x, y := string(must(json.Marshal(a))), string(must(json.Marshal(b))); x != y {
			t.Errorf("%s\n%s", x, y)
		}
	}
}

// TestSeedsShareNothing draws the items of two seeds, and of the indexes of one,
// and finds none twice.
func TestSeedsShareNothing(t *testing.T) {
	count := 8
	if exhaustive.All() {
		count = 20
	}
	for _, f := range Families() {
		n := f.DefaultLengths[len(f.DefaultLengths)-1]
		seen := map[string]string{}
		for seed := uint64(1); seed <= 2; seed++ {
			for index := range count {
				it := mustDraw(t, f, parameters(n, verbatim.Standard), seed, index)
				if other := seen[asked(it)]; other != "" && f.Name != "emit-n" { // there are few letters
					t.Errorf("%s and %s have the same question", it.ID, other)
				}
				seen[asked(it)] = it.ID
			}
		}
		if len(seen) != 2*count && f.Name != "emit-n" {
			t.Errorf("%s: %d different items of %d", f.Name, len(seen), 2*count)
		}
	}
}

// TestVersionsDiffer wants another item once a family's version goes up.
func TestVersionsDiffer(t *testing.T) {
	for _, f := range Families() {
		a := mustDraw(t, f, parameters(within(f, 8), verbatim.Standard), 1, 0)
		f.Version++
		b := mustDraw(t, f, parameters(within(f, 8), verbatim.Standard), 1, 0)
		if a.ID == b.ID || asked(a) == asked(b) {
			t.Errorf("%s and %s have the same question", a.ID, b.ID)
		}
	}
}

// TestEditionsDiffer wants different items where editions declare different parameters.
func TestEditionsDiffer(t *testing.T) {
	for _, f := range Families() {
		a, b := mustDraw(t, f, parameters(within(f, 8), verbatim.Standard), 1, 0), mustDraw(t, f, parameters(within(f, 8), verbatim.Reference), 1, 0)
		if asked(a) == asked(b) {
			t.Errorf("%s and %s have the same question", a.ID, b.ID)
		}
	}
}

// TestLongest draws an item of the greatest length of each family, at most 100,000, or without
// VERBATIM_EXHAUSTIVE 20,000: what takes the square of the length would take minutes here.
func TestLongest(t *testing.T) {
	most := 20_000
	if exhaustive.All() {
		most = 100_000
	}
	for _, f := range Families() {
		n := most
		if f.Max > 0 {
			n = min(n, f.Max)
		}
		for ; ; n /= 2 { // some have fewer different values
			it, err := f.Item(rand.New(rand.NewPCG(1, 2)), verbatim.Parameters{Length: verbatim.Lengths{Min: n, Max: n}, Edition: verbatim.Standard})
			if err != nil && n > 500 {
				continue
			}
			if err != nil || len(it.Prompt) == 0 {
				t.Errorf("%s at length %d: %v", f.Name, n, err)
			}
			break
		}
	}
}

func TestMain(m *testing.M) { testmain.Main(m) }

// planned returns the number of items of a family at a length in a plan, and how many
// of them are different.
func planned(t *testing.T, family string, length, items int) (asked, different int, err error) {
	t.Helper()
	p, err := Plan(Request{Tasks: []string{family}, Lengths: []verbatim.Lengths{fixedLength(length)}, Items: items, Seed: 1})
	if err != nil {
		return 0, 0, err
	}
	d, err := Open(p, nil)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[any]bool{}
	for position, ok := d.Next(); ok; position, ok = d.Next() {
		it, err := d.Item(position)
		if err != nil {
			t.Fatal(err)
		}
		asked++
		seen[questionKey(it)] = true
	}
	return asked, len(seen), nil
}

// TestDistinct: no plan has an item twice, except plans of the published benchmarks. At
// its shortest length and at the first default one, a family has 150 different items
// (2,000 in the long form; of pictures 10 and 100), or the plan is refused with their
// number.
func TestDistinct(t *testing.T) {
	few := map[string]int{}
	for _, f := range Families() {
		if ofStudy(f) {
			continue // they are drawn as published, repeated items too
		}
		items := exhaustive.Of(150, 2000)
		if f.Unit == "shapes" {
			items = exhaustive.Of(10, 100)
		}
		for _, n := range []int{f.Min, f.DefaultLengths[0]} {
			asked, different, err := planned(t, f.Name, n, items)
			if err != nil && f.Few >= n && strings.Contains(err.Error(), "different items") {
				few[f.Name]++
				continue
			}
			if err != nil || asked != items || different != asked {
				t.Errorf("%s at length %d: %d of %d items are different, %v; Few is %d: it must be the greatest length at which items repeat", f.Name, n, different, asked, err, f.Few)
			}
		}
	}
	for name := range few {
		if name != "root" {
			t.Errorf("%s has too few items at its shortest length: raise Min", name)
		}
	}
}

// TestDistinctIDs: an item keeps its name and its content where an earlier one is left out, and
// the items of a plan are the first of a greater one.
func TestDistinctIDs(t *testing.T) {
	small, great := Request{Tasks: []string{"root"}, Lengths: []verbatim.Lengths{fixedLength(2)}, Items: 40, Seed: 1}, Request{}
	great = small
	great.Items = 90
	ids := map[string]bool{}
	for _, q := range []Request{great, small} {
		p := must(Plan(q))
		d := must(Open(p, nil))
		gaps := 0
		for position, ok := d.Next(); ok; position, ok = d.Next() {
			it := must(d.Item(position))
			if drawn := mustDraw(t, must(Find("root")), parameters(2, ""), 1, position.Index); drawn.ID != it.ID || asked(drawn) != asked(*it) {
				t.Errorf("%s is another item than %s", it.ID, drawn.ID)
			}
			if q.Items == small.Items && !ids[it.ID] {
				t.Errorf("%s is not in the greater plan", it.ID)
			}
			if position.Index >= q.Items {
				gaps++
			}
			ids[it.ID] = true
		}
		if gaps == 0 {
			t.Error("no item was left out")
		}
	}
}
