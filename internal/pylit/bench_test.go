package pylit

import (
	"fmt"
	"strings"
	"testing"
)

// BenchmarkParse reads lists of 256 items with one Parser.
func BenchmarkParse(b *testing.B) {
	for name, item := range map[string]func(i int) string{
		"ints":   func(i int) string { return fmt.Sprint(i * 37 % 1000) },
		"floats": func(i int) string { return fmt.Sprint(float64(i)*37.123456789 - 1000.1) },
		"words":  func(i int) string { return fmt.Sprintf("'word_%d'", i) },
	} {
		items := make([]string, 256)
		for i := range items {
			items[i] = item(i)
		}
		text := "[" + strings.Join(items, ", ") + "]"
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			p := new(Parser)
			for b.Loop() {
				if _, err := p.Parse(text); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkFormat prints a list of 256 floats.
func BenchmarkFormat(b *testing.B) {
	list := make([]any, 256)
	for i := range list {
		list[i] = float64(i)*37.123456789 - 1000.1
	}
	dst := Append(nil, list)
	b.SetBytes(int64(len(dst)))
	for b.Loop() {
		dst = Append(dst[:0], list)
	}
}
