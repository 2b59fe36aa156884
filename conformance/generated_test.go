package conformance

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/modeltest"
)

// drawScene draws an answer that an SDK and we must read alike: it is complete, has
// valid Unicode and at most one usage. What is read differently is in the tables.
func drawScene(t *rapid.T) modeltest.Scene {
	piece := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{
		"", " ", "\n", "\r\n", "\x00", "data: [DONE]", "\n\ndata: x\n\n", "</think>", `\u0041`, `"`, "🙂", "e\u0301", "\u2028", "\uFEFF", "[1, 'two']", "😀\U0010FFFF",
	}))
	s := modeltest.Scene{
		Text:      rapid.SliceOfN(piece, 0, 12).Draw(t, "text"),
		Reasoning: rapid.SliceOfN(piece, 0, 4).Draw(t, "reasoning"),
		Finish:    rapid.SampledFrom([]verbatim.Finish{verbatim.FinishStop, verbatim.FinishLength}).Draw(t, "finish"),
	}
	count := rapid.Int64Range(0, 1<<20)
	few := rapid.Int64Range(0, 49) // of an answer; the question allows 100 tokens
	if rapid.Bool().Draw(t, "counted") {
		reasoning := few.Draw(t, "thought")
		cached := count.Draw(t, "cached")
		s.Usage = []verbatim.Usage{{
			Prompt:     number(cached + count.Draw(t, "prompt")),
			Completion: number(reasoning + few.Draw(t, "completion")),
			Reasoning:  &reasoning,
			Cached:     &cached,
		}}
	}
	return s
}

// generated lets both sides read drawn answers, in reads that end anywhere. Streams
// have other line ends and comments without a meaning. Some connections break: then
// neither side may accept the answer as complete.
func (p pair) generated(t *testing.T, stream bool, format func(*rapid.T, []byte) []byte) {
	write := p.document
	if stream {
		write = p.stream
	}
	answers, failures, missed := 0, 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		scene := drawScene(rt)
		body := write(scene)
		if format != nil {
			body.Bytes = format(rt, body.Bytes)
		}
		raw := modeltest.Response(200, body.Type, body.Bytes)
		breaks := rapid.IntRange(0, 9).Draw(rt, "breaks") == 0
		if breaks {
			raw = raw[:bytes.Index(raw, []byte("\r\n\r\n"))+4+rapid.IntRange(0, len(body.Bytes)/2).Draw(rt, "broken off at")]
		}
		cuts := rapid.SliceOfN(rapid.IntRange(0, len(raw)), 0, 20).Draw(rt, "cuts")
		slices.Sort(cuts)
		ours, theirs := p.onTape(t, raw, cuts, plain(stream))
		if breaks {
			failures++
			if theirs.Failed == "" {
				missed++
			}
			if ours.Failed != string(verbatim.Cut) || theirs.Failed == "" && !p.breaksAreEnds {
				rt.Fatalf("broken off, we read\n\t%v,\n%s\n\t%v", ours, p.sdk, theirs)
			}
			return
		}
		answers++
		want := reading{Text: strings.Join(scene.Text, ""), Reasoning: strings.Join(scene.Reasoning, ""), Finish: scene.Finish}
		if len(scene.Usage) > 0 {
			want.Usage = scene.Usage[0]
		}
		if p.counts != nil {
			want.Usage = p.counts(want.Usage)
		}
		if !ours.same(want) {
			rt.Fatalf("we read\n\t%v,\nwant\n\t%v", ours, want)
		}
		if p.zeroIsNone {
			want.Usage = withoutZeros(want.Usage)
		}
		if !theirs.same(want) {
			rt.Fatalf("%s reads\n\t%v,\nwant\n\t%v", p.sdk, theirs, want)
		}
	})
	if answers == 0 || failures == 0 {
		t.Errorf("%d answers and %d failures were drawn", answers, failures)
	}
	if p.breaksAreEnds && missed == 0 {
		t.Errorf("%s notices connections that break now: remove breaksAreEnds", p.sdk)
	}
}

// formatted changes a stream of events in ways that have no meaning.
func formatted(rt *rapid.T, body []byte) []byte {
	if rapid.Bool().Draw(rt, "comments") {
		body = bytes.ReplaceAll(body, []byte("\n\n"), []byte("\n\n: keep-alive\n\n"))
	}
	if rapid.Bool().Draw(rt, "no spaces") {
		body = bytes.ReplaceAll(body, []byte("\ndata: "), []byte("\ndata:"))
	}
	return crlf(rt, body)
}

// crlf ends the lines of some streams with CR LF, as Gemini does.
func crlf(rt *rapid.T, body []byte) []byte {
	if rapid.Bool().Draw(rt, "CRLF") {
		body = bytes.ReplaceAll(body, []byte("\n"), []byte("\r\n"))
	}
	return body
}

// withoutZeros returns a usage without counts of zero.
func withoutZeros(u verbatim.Usage) verbatim.Usage {
	for _, n := range []**int64{&u.Prompt, &u.Completion, &u.Reasoning, &u.Cached} {
		if *n != nil && **n == 0 {
			*n = nil
		}
	}
	return u
}

func TestChatGenerated(t *testing.T) {
	t.Run("stream", func(t *testing.T) { chat().generated(t, true, formatted) })
	t.Run("plain", func(t *testing.T) { chat().generated(t, false, nil) })
}
