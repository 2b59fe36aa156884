package task

import (
	"testing"

	"verbatim"
)

// BenchmarkItem draws items of length 16 of every family, or of the length nearest to that.
func BenchmarkItem(b *testing.B) {
	for _, f := range Families() {
		k := parameters(within(f, 16), verbatim.Standard)
		mustDraw(b, f, k, 1, 0) // unpacks the words
		b.Run(f.Name, func(b *testing.B) {
			b.ReportAllocs()
			for i := range b.N {
				mustDraw(b, f, k, 1, i)
			}
		})
	}
}

// BenchmarkPrompt puts items of length 16 after four examples: it should cost four
// times as much as drawing them.
func BenchmarkPrompt(b *testing.B) {
	for _, name := range []string{"reverse", "sort-int", "sort-word"} {
		b.Run(name, func(b *testing.B) {
			d, it := underVariant(b, must(Find(name)), parameters(16, verbatim.Standard), verbatim.Variant{Shots: 4, Paraphrase: "1"})
			b.ReportAllocs()
			for range b.N {
				d.Prompt(it)
			}
		})
	}
}

// BenchmarkNext passes over positions, as a continued run does.
func BenchmarkNext(b *testing.B) {
	even := must(Plan(Request{Tasks: []string{"copy", "reverse", "add", "sort-*"}, Lengths: must(ParseLengths("8")), Items: 1_000_000, Seed: 1}))
	uneven := uneven()
	uneven.Cells[0].N = 50_000_000
	for name, p := range map[string]verbatim.Plan{"even": even, "uneven": uneven} {
		b.Run(name, func(b *testing.B) {
			d := must(Open(p, nil))
			b.ReportAllocs()
			for range b.N {
				d.Next()
			}
		})
	}
}

// BenchmarkReadItems reads a file of ten thousand items.
func BenchmarkReadItems(b *testing.B) {
	p := must(Plan(Request{Tasks: []string{"reverse", "sort-int"}, Lengths: must(ParseLengths("16")), Items: 5_000, Seed: 1}))
	data := written(b, p)
	b.SetBytes(int64(len(data)))
	for range b.N {
		if _, _, err := ReadItems("x", data, ".", func(*verbatim.Item) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
}
