package grade

import (
	"strings"
	"testing"

	"verbatim"
)

// A benchReply is a published output with the judge of its item.
type benchReply struct {
	judge  *listJudge
	output string
}

func benchReplies(b *testing.B, reasoning bool) (replies []benchReply, size int64) {
	judges := map[*verbatim.Item]*listJudge{}
	for _, o := range publishedOutputs(b) {
		if !reasoning && strings.Contains(o.output, "<think>") {
			continue
		}
		if judges[o.item] == nil {
			j, err := newListJudge(o.item)
			if err != nil {
				b.Fatal(err)
			}
			judges[o.item] = j
		}
		replies = append(replies, benchReply{judges[o.item], o.output})
		size += int64(len(o.output))
	}
	return replies, size
}

// BenchmarkListPublished reads, repairs and scores all published outputs, the
// wanted lists prepared once, as SortBench's scorer and with our verdict.
func BenchmarkListPublished(b *testing.B) {
	for _, set := range []struct {
		name      string
		reasoning bool
	}{{"with-thinking", true}, {"without-thinking", false}} {
		replies, size := benchReplies(b, set.reasoning)
		scratch := new(Scratch)
		run := func(name string, f func(r benchReply)) {
			b.Run(set.name+"/"+name, func(b *testing.B) {
				b.SetBytes(size)
				b.ReportAllocs()
				for b.Loop() {
					for _, r := range replies {
						f(r)
					}
				}
				b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(replies)), "ns/item")
			})
		}
		run("score", func(r benchReply) {
			v := r.judge.SortBench(r.output, scratch)
			v.Score(byOutput)
		})
		run("grade", func(r benchReply) { r.judge.Grade(r.output, verbatim.FinishStop, "sortbench", scratch) })
	}
}
