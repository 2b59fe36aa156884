// Package storetest makes records for tests of the database: typical ones, and hostile ones
// of random bytes.
package storetest

import (
	"errors"
	"math/big"
	"strconv"
	"time"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/reasoning"
)

var (
	anyOutcome = []verbatim.Outcome{
		verbatim.Pass, verbatim.Wrapped, verbatim.Wrong, verbatim.Refused, verbatim.Truncated, // answered
		verbatim.CutOff, verbatim.Errored, verbatim.Skipped,
	}
	anyFinish = []verbatim.Finish{verbatim.FinishUnknown, verbatim.FinishStop, verbatim.FinishLength, verbatim.FinishFilter, verbatim.FinishRefusal, verbatim.FinishOther}
	anyClass  = []verbatim.Class{"", verbatim.Transport, verbatim.Rate, verbatim.Overload, verbatim.Quota, verbatim.Auth,
		verbatim.BadAsk, verbatim.Content, verbatim.Cut, verbatim.Deadline, verbatim.Unsupported}
)

// AnyBytes draws what a server can send: any bytes, and all that breaks careless encoders.
func AnyBytes() *rapid.Generator[string] {
	return rapid.OneOf(
		rapid.String(),
		rapid.Map(rapid.SliceOf(rapid.Byte()), func(b []byte) string { return string(b) }),
		rapid.SampledFrom([]string{
			"", "\x00", "a\x00b", "\xed\xa0\x80", "\xed\xa0\xbd\xed\xb8\x80 two halves", "\xff\xfe", "\u2028\u2029", "</script>&<>", `\u0000 \n "`,
			"\x1b[31mred\x1b[0m", "\ufeff", "\ufffd", "line\r\nline\n", "\x7f\u0085\u00a0", "e\u0301", "null", "{}",
		}),
	)
}

// Unicode draws what a file or a program of ours says.
func Unicode() *rapid.Generator[string] {
	return rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"", "a", "\x00", "\u2028", `"\`, "</script>", "\ufffd", "tab\there", "7", "007", "-1", "/"}))
}

// Instants draws times, of which some are zero.
func Instants() *rapid.Generator[time.Time] {
	return rapid.OneOf(
		rapid.Just(time.Time{}),
		rapid.Map(rapid.Int64Range(-9_000_000_000_000_000_000, 9_000_000_000_000_000_000), func(ns int64) time.Time { return time.Unix(0, ns).UTC() }),
	)
}

// Maybe draws a value or nil.
func Maybe[T any](g *rapid.Generator[T]) *rapid.Generator[*T] { return rapid.Ptr(g, true) }

func durations() *rapid.Generator[time.Duration] {
	return rapid.Map(rapid.Int64(), func(n int64) time.Duration { return time.Duration(n) })
}

// Amounts draws sums of money, or nil.
func Amounts() *rapid.Generator[*verbatim.Money] {
	return Maybe(rapid.Map(rapid.Int64Range(0, int64(verbatim.MaxMoney)), func(n int64) verbatim.Money { return verbatim.Money(n) }))
}

// Requests are what may have been sent with a token limit.
func Requests(limit int) *rapid.Generator[string] {
	n := strconv.Itoa(limit)
	return rapid.OneOf(Unicode(), rapid.SampledFrom([]string{
		`{"model":"m","max_tokens":` + n + `,"stream":true}`, `{"max_tokens":` + n + `}`, `{"max_tokens":` + n + `0}`, `{"max_tokens": ` + n + `}`,
		`{"a":` + n + `,"max_tokens":` + n + `}`, `{"a":"$max_tokens","max_tokens":` + n + `}`, n, ":" + n, ":" + n + ",", `{"a":"$max_tokens"}`,
	}))
}

func answers() *rapid.Generator[verbatim.Answer] {
	leaf := rapid.OneOf(
		rapid.Map(Unicode(), func(s string) any { return s }),
		rapid.Map(rapid.Int64(), func(n int64) any { return n }),
		rapid.Map(rapid.Float64Range(-1e300, 1e300), func(f float64) any { return f }),
		rapid.SampledFrom([]any{true, false, nil, new(big.Int).Lsh(big.NewInt(-3), 70)}),
	)
	list := rapid.Map(rapid.SliceOfN(leaf, 0, 5), func(l []any) any { return l })
	return rapid.OneOf(
		rapid.Map(Unicode(), verbatim.TextAnswer),
		rapid.Map(rapid.SliceOfN(rapid.OneOf(leaf, list), 0, 5), verbatim.ListAnswer),
	)
}

// Prompts draws prompts with texts and images.
func Prompts() *rapid.Generator[verbatim.Prompt] {
	part := rapid.Custom(func(t *rapid.T) verbatim.Part {
		if rapid.IntRange(0, 4).Draw(t, "image") > 0 {
			return verbatim.Part{Text: Unicode().Draw(t, "text")}
		}
		return verbatim.Part{Image: &verbatim.Image{Path: Unicode().Draw(t, "path"), Media: rapid.SampledFrom([]string{"", "image/png"}).Draw(t, "media"),
			Bytes: rapid.SliceOfN(rapid.Byte(), 0, 8).Draw(t, "bytes")}}
	})
	content := rapid.OneOf(
		rapid.Map(Unicode(), func(s string) []verbatim.Part { return []verbatim.Part{{Text: s}} }), // nearly all there are
		rapid.SliceOfN(part, 0, 3),
	)
	message := rapid.Custom(func(t *rapid.T) verbatim.Message {
		return verbatim.Message{Role: rapid.SampledFrom([]string{"user", "system", "", "</"}).Draw(t, "role"), Content: content.Draw(t, "content")}
	})
	return rapid.Map(rapid.SliceOfN(message, 0, 3), func(m []verbatim.Message) verbatim.Prompt { return m })
}

func items() *rapid.Generator[*verbatim.Item] {
	return rapid.Custom(func(t *rapid.T) *verbatim.Item {
		id := rapid.OneOf(Unicode(), rapid.SampledFrom([]string{
			"reverse@1/len=16/seed=1/7", "reverse@1/len=16/seed=1/07", "a/b/9223372036854775807", "a/b/9223372036854775808", "a/b/-0", "a/", "sortbench:v1.0/basic/Int-0:1000/16/list_3",
		})).Draw(t, "id")
		mistake := rapid.Custom(func(t *rapid.T) verbatim.Mistake {
			return verbatim.Mistake{Label: Unicode().Draw(t, "mistake"), Detail: Unicode().Draw(t, "its detail"), Answer: answers().Draw(t, "its answer")}
		})
		some := func(n int) int { return rapid.SampledFrom([]int{0, 0, n}).Draw(t, "most others") }
		var accept []verbatim.Answer
		var mistakes []verbatim.Mistake
		if n := some(2); n > 0 {
			accept = rapid.SliceOfN(answers(), 1, n).Draw(t, "accept")
		}
		if n := some(2); n > 0 {
			mistakes = rapid.SliceOfN(mistake, 1, n).Draw(t, "mistakes")
		}
		return &verbatim.Item{ID: id, Accept: accept, Mistakes: mistakes, Prompt: Prompts().Draw(t, "prompt"), Want: answers().Draw(t, "want"), Source: Maybe(answers()).Draw(t, "source"),
			Facts: rapid.MapOfN(Unicode(), Unicode(), 0, 4).Draw(t, "facts"), Grader: rapid.SampledFrom([]string{"", "text", "list"}).Draw(t, "grader")}
	})
}

// Grades draws grades by a grader.
func Grades(grader string) *rapid.Generator[verbatim.Grade] {
	return rapid.Custom(func(t *rapid.T) verbatim.Grade {
		return verbatim.Grade{
			Outcome: rapid.SampledFrom(anyOutcome[:5]).Draw(t, "outcome"), Label: Unicode().Draw(t, "label"), Detail: AnyBytes().Draw(t, "detail"),
			Exact: rapid.Bool().Draw(t, "strict"), Extracted: rapid.Bool().Draw(t, "extracted"), Score: Maybe(rapid.Float64Range(-2, 2)).Draw(t, "score"),
			Repair: Unicode().Draw(t, "repair"), Rule: Unicode().Draw(t, "rule"), Span: Maybe(span()).Draw(t, "span"), Flags: rapid.SliceOfN(Unicode(), 0, 3).Draw(t, "flags"),
			Measures: rapid.MapOfN(Unicode(), rapid.Float64Range(-1e300, 1e300), 0, 6).Draw(t, "measures"), Grader: grader,
		}
	})
}

func attempts() *rapid.Generator[[]verbatim.Attempt] {
	return rapid.SliceOfN(rapid.Custom(func(t *rapid.T) verbatim.Attempt {
		return verbatim.Attempt{
			N: rapid.IntRange(1, 9).Draw(t, "n"), Start: Instants().Draw(t, "start"), Total: durations().Draw(t, "total"), Wait: durations().Draw(t, "wait"),
			Status: rapid.SampledFrom([]int{0, 200, 429, 503}).Draw(t, "status"), Class: rapid.SampledFrom(anyClass).Draw(t, "class"), Bytes: rapid.Int64().Draw(t, "bytes"),
			RequestID: Unicode().Draw(t, "request id"), Err: Unicode().Draw(t, "err"), Partial: AnyBytes().Draw(t, "partial"),
			Cost: Amounts().Draw(t, "cost"), Upstream: Unicode().Draw(t, "upstream"),
		}
	}), 0, 3)
}

// tokens are tokens of any bytes, with alternatives that are so many levels deep.
func tokens(levels int) *rapid.Generator[verbatim.Token] {
	return rapid.Custom(func(t *rapid.T) verbatim.Token {
		out := verbatim.Token{Text: AnyBytes().Draw(t, "token"), Logprob: rapid.Float64().Draw(t, "logprob")}
		if levels > 0 {
			out.Top = rapid.SliceOfN(tokens(levels-1), 0, 3).Draw(t, "top")
		}
		return out
	})
}

// hostile makes a record of any of the four kinds: a reply, a score without a
// reply, a failure, and a position of which nothing is known but that it was skipped.
func hostile(seq int64) *rapid.Generator[verbatim.Record] {
	return rapid.Custom(func(t *rapid.T) verbatim.Record {
		it := items().Draw(t, "item")
		rec := verbatim.Record{Seq: seq, Item: it, Trial: rapid.IntRange(0, 3).Draw(t, "trial"), MaxTokens: rapid.IntRange(0, 1<<40).Draw(t, "max tokens")}
		switch rapid.IntRange(0, 2).Draw(t, "prompt") {
		case 0:
			rec.Prompt = it.Prompt
		case 1:
			rec.Prompt = Prompts().Draw(t, "sent")
		}
		kind := rapid.IntRange(0, 3).Draw(t, "kind")
		if kind < 2 {
			g := Grades(rapid.SampledFrom([]string{"text/1", "list/3", "published"}).Draw(t, "grader")).Draw(t, "grade")
			rec.Grade, rec.Outcome = &g, g.Outcome
		}
		switch kind {
		case 0:
			rec.Reply = &verbatim.Reply{
				Text: AnyBytes().Draw(t, "text"), Reasoning: AnyBytes().Draw(t, "reasoning"), ReasoningField: Unicode().Draw(t, "field"),
				Finish: rapid.SampledFrom(anyFinish).Draw(t, "finish"), FinishRaw: Unicode().Draw(t, "raw"),
				Usage: verbatim.Usage{Prompt: Maybe(rapid.Int64()).Draw(t, "p"), Completion: Maybe(rapid.Int64()).Draw(t, "c"),
					Reasoning: Maybe(rapid.Int64()).Draw(t, "r"), Cached: Maybe(rapid.Int64()).Draw(t, "k")},
				Times: verbatim.Times{Start: Instants().Draw(t, "start"), FirstByte: Maybe(durations()).Draw(t, "fb"),
					FirstReasoning: Maybe(durations()).Draw(t, "fr"), FirstContent: Maybe(durations()).Draw(t, "fc"), Queued: Maybe(durations()).Draw(t, "q"), Total: durations().Draw(t, "total")},
				ServedModel: Unicode().Draw(t, "served"), RequestID: Unicode().Draw(t, "request id"), Fingerprint: Unicode().Draw(t, "fingerprint"),
				Limits: rapid.MapOfN(Unicode(), Unicode(), 0, 3).Draw(t, "limits"), Attempts: attempts().Draw(t, "attempts"),
				Sent: Requests(rec.MaxTokens).Draw(t, "sent request"), Applied: Unicode().Draw(t, "applied"), Cost: Amounts().Draw(t, "cost"), Claimed: Amounts().Draw(t, "claimed"), Batch: Unicode().Draw(t, "batch"),
				Tokens: rapid.SliceOfN(tokens(1), 0, 3).Draw(t, "tokens"),
			}
			if text := rec.Reply.Reasoning; text != "" {
				m := reasoning.MeasureMarks(text)
				rec.Reply.Marks = &m
			}
			if rapid.Bool().Draw(t, "at the first attempt") {
				rec.Reply.Attempts = []verbatim.Attempt{{N: rapid.IntRange(0, 9).Draw(t, "n"), Start: rec.Reply.Times.Start, Wait: durations().Draw(t, "wait"),
					Total:  rapid.OneOf(durations(), rapid.Just(rec.Reply.Times.Total)).Draw(t, "attempt"),
					Status: rapid.SampledFrom([]int{0, 200}).Draw(t, "status"), Bytes: rapid.Int64().Draw(t, "bytes"), RequestID: rec.Reply.RequestID}}
			}
		case 2:
			rec.Outcome = rapid.SampledFrom(anyOutcome[5:]).Draw(t, "outcome")
			rec.Failure = &verbatim.Failure{Class: rapid.SampledFrom(anyClass).Draw(t, "class"), Status: rapid.IntRange(0, 600).Draw(t, "status"),
				After: durations().Draw(t, "after"), Who: Unicode().Draw(t, "who"), Hint: Unicode().Draw(t, "hint"), Attempts: attempts().Draw(t, "attempts")}
			if text := Unicode().Draw(t, "err"); text != "" {
				rec.Failure.Err = errors.New(text)
			}
		case 3:
			rec.Outcome = verbatim.Skipped
		}
		return rec
	})
}

// HostileRun draws the records of a run, with gaps between the positions.
func HostileRun(t *rapid.T, name string) []verbatim.Record {
	var recs []verbatim.Record
	var seq int64
	for range rapid.IntRange(0, 6).Draw(t, name+": records") {
		seq += int64(rapid.SampledFrom([]int{1, 1, 1, 2, 70, 1 << 20}).Draw(t, "gap"))
		recs = append(recs, hostile(seq).Draw(t, "record"))
	}
	return recs
}

// span draws a part of a reply.
func span() *rapid.Generator[verbatim.Span] {
	return rapid.Custom(func(t *rapid.T) verbatim.Span {
		start := rapid.IntRange(0, 1<<31-2).Draw(t, "start")
		return verbatim.Span{Start: start, End: rapid.IntRange(start, 1<<31-1).Draw(t, "end")}
	})
}
