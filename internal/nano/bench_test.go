package nano

import (
	"context"
	"strings"
	"testing"
)

// BenchmarkAnswer reads the question to copy a string of 64 characters and writes
// 64 tokens, on one thread.
func BenchmarkAnswer(b *testing.B) {
	n := load(b)
	p := userSays(`Repeat the following string exactly without modifying it. Don't output anything else. Only output the string without anything additional, not even quotes: "` + strings.Repeat("Ab1-", 16) + `"`)
	tokens := 0
	b.ReportAllocs()
	for b.Loop() {
		a, err := n.Answer(context.Background(), p, 64, Sampling{})
		if err != nil {
			b.Fatal(err)
		}
		tokens += a.Prompt + a.Completion
	}
	b.ReportMetric(float64(tokens)/b.Elapsed().Seconds(), "tokens/s")
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/item")
}

// BenchmarkLoad reads the embedded weights.
func BenchmarkLoad(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, err := Load(); err != nil {
			b.Fatal(err)
		}
	}
}
