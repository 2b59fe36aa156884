package figure

import (
	"io"
	"testing"
)

func BenchmarkFormats(b *testing.B) {
	figure := multiples(18, 7)
	for _, f := range Formats() {
		b.Run(f.Extension, func(b *testing.B) {
			for b.Loop() {
				if err := f.Write(figure, io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
