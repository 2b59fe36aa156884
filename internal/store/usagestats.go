package store

import (
	"cmp"
	"context"
	"slices"
	"time"

	"verbatim"

	"verbatim/internal/store/sqlite"
)

// A UsageStat is the tokens and the time that replies of a model took, for estimates of further
// requests. Nil is unknown.
type UsageStat struct {
	Replies int64 // their number
	// PromptRate is the number of tokens of a prompt for each byte of its texts. AnswerRate is
	// that of an answer, without reasoning, for each byte of the expected answer (of a list: of
	// its JSON). Both are the quotient of two sums.
	PromptRate, AnswerRate *float64
	Answer                 *float64 // mean tokens of an answer, without reasoning
	Reasoning              *float64 // mean tokens of reasoning
	// Reasoned is the number of replies with a known number of reasoning tokens, and Reasoning99
	// the 99th percentile of these numbers (nearest rank).
	Reasoned    int64
	Reasoning99 *int64
	Seconds     *float64 // mean duration, without replies of batches
}

// UsageStats is the UsageStat of a model, over all items and by their family.
type UsageStats struct {
	UsageStat
	// InFlight is the median, over the replies, of the number of their requests in flight when one
	// was sent, itself included; 0: unknown.
	InFlight int
	Families map[string]UsageStat
}

// usageSampleSize is the number of records that are read: enough for a 99th percentile that is
// not one of the largest few, in a few milliseconds.
const usageSampleSize = 2000

// UsageStats returns the usage of the newest replies of a model, at most usageSampleSize of them,
// from its runs that are not imported and for which like returns true; a nil like accepts all. Its
// time does not depend on the size of the database.
func (s *Store) UsageStats(ctx context.Context, model string, like func(verbatim.Run) bool) (UsageStats, error) {
	all := &usageTotals{}
	families := map[string]*usageTotals{}
	var sent, answered []int64 // when, each of one reply
	err := s.file.View(func(c *sqlite.Conn) error {
		runs, err := runsOfModel(ctx, c, model)
		if err != nil {
			return err
		}
		words, left := newStringTable(c), int64(usageSampleSize)
		for i := range runs {
			run := runs[i].Run
			if like != nil && !like(run) {
				continue
			}
			if left, err = sampleUsage(ctx, c, words, run.N, left, func(facts map[string]string, t *usageSample) {
				family := families[facts[verbatim.FactFamily]]
				if family == nil {
					family = &usageTotals{}
					families[facts[verbatim.FactFamily]] = family
				}
				all.add(t)
				family.add(t)
				if t.total != nil && t.start != nil {
					sent, answered = append(sent, *t.start), append(answered, *t.start+int64(*t.total))
				}
			}); err != nil || left <= 0 {
				return err
			}
		}
		return nil
	})
	stats := UsageStats{UsageStat: all.result(), InFlight: medianInFlight(sent, answered), Families: map[string]UsageStat{}}
	for name, f := range families {
		stats.Families[name] = f.result()
	}
	return stats, err
}

// runsOfModel returns the newest runs of a model that are not imported.
func runsOfModel(ctx context.Context, c *sqlite.Conn, model string) ([]savedRun, error) {
	return sqlite.QueryList(ctx, c, scanRun, selectRun+` WHERE run.model = ? AND run.origin = '' ORDER BY run.id DESC LIMIT 100`, model)
}

// A usageSample is the usage of one reply.
type usageSample struct {
	prompt, completion, reasoning *int64
	promptBytes, wantBytes        int64 // 0: unknown
	start                         *int64
	total                         *time.Duration // nil: of a batch
}

// medianInFlight returns the median, over the times in sent, of the number of intervals from sent to
// answered that include the time; 0 without any. It sorts both.
func medianInFlight(sent, answered []int64) int {
	if len(sent) == 0 {
		return 0
	}
	slices.Sort(sent)
	slices.Sort(answered)
	counts, ended := make([]int, len(sent)), 0
	for i, at := range sent {
		for ended < len(answered) && answered[ended] <= at {
			ended++
		}
		counts[i] = i + 1 - ended
	}
	slices.Sort(counts)
	return counts[len(counts)/2]
}

// sampleUsage reads the last records of a run, at most limit, and calls do for those with a reply.
// It returns limit without the number of records that it has read.
func sampleUsage(ctx context.Context, c *sqlite.Conn, words *stringTable, run, limit int64, do func(facts map[string]string, t *usageSample)) (left int64, err error) {
	first, last := span(run)
	r, err := c.Query(ctx, `
		SELECT r.finish, r.prompt_tokens, r.completion_tokens, r.reasoning_tokens, r.start, r.total, r.batch, i.facts, q.want,
			CASE WHEN r.prompt IS NULL THEN q.prompt ELSE p.body END
		FROM reply r CROSS JOIN item i ON i.id = r.item JOIN question q ON q.item = r.item LEFT JOIN prompt p ON p.id = r.prompt
		WHERE r.place BETWEEN ? AND ? ORDER BY r.place DESC LIMIT ?`, first, last, limit)
	if err != nil {
		return limit, err
	}
	defer func() { err = cmp.Or(err, r.Close()) }()
	for r.Next() {
		limit--
		if r.Raw() == nil { // there is no reply
			continue
		}
		t := &usageSample{prompt: r.OptInt(), completion: r.OptInt(), reasoning: r.OptInt(), start: r.OptInt()}
		if total := sqlite.Optional(r, new(time.Duration)); r.Raw() == nil && total != nil { // not of a batch
			t.total = total
		}
		facts := words.Facts(r.Int())
		if words.Err() != nil {
			return limit, words.Err()
		}
		t.wantBytes, t.promptBytes = expectedBytes(r.Text()), promptBytes(r.Text())
		do(facts, t)
	}
	return limit, nil
}

// expectedBytes returns the length of an expected answer, given in JSON; 0 if it cannot be read.
func expectedBytes(want string) int64 {
	a, err := decodeAnswer(want)
	if err != nil || !a.IsList() {
		return int64(len(a.Text))
	}
	b, _ := a.MarshalJSON() // what was read from JSON can be written as JSON
	return int64(len(b))
}

// promptBytes returns the length of the texts of a prompt, given in JSON; 0 if the prompt cannot
// be read or has an image, whose tokens depend on no text.
func promptBytes(prompt string) int64 {
	p, err := decodePrompt(prompt, func(string) ([]byte, error) { return nil, nil })
	hasImage := func(m verbatim.Message) bool {
		return slices.ContainsFunc(m.Content, func(part verbatim.Part) bool { return part.Image != nil })
	}
	if err != nil || slices.ContainsFunc(p, hasImage) {
		return 0
	}
	return int64(textSize(p))
}

// A usageTotals adds up the usage of replies.
type usageTotals struct {
	replies                  int64
	prompt, answer, expected quotient
	reasoning, seconds       quotient
	reasoningTokens          []int64
}

// A quotient is a sum divided by a sum.
type quotient struct{ dividend, divisor float64 }

func (q *quotient) add(dividend, divisor float64) {
	q.dividend += dividend
	q.divisor += divisor
}

func (q quotient) value() *float64 {
	if q.divisor == 0 {
		return nil
	}
	return new(q.dividend / q.divisor)
}

func (u *usageTotals) add(t *usageSample) {
	u.replies++
	if t.prompt != nil && t.promptBytes > 0 {
		u.prompt.add(float64(*t.prompt), float64(t.promptBytes))
	}
	if t.completion != nil {
		answer := float64(*t.completion)
		if t.reasoning != nil {
			answer = max(answer-float64(*t.reasoning), 0)
		}
		u.answer.add(answer, 1)
		if t.wantBytes > 0 {
			u.expected.add(answer, float64(t.wantBytes))
		}
	}
	if t.reasoning != nil {
		u.reasoning.add(float64(*t.reasoning), 1)
		u.reasoningTokens = append(u.reasoningTokens, *t.reasoning)
	}
	if t.total != nil {
		u.seconds.add(t.total.Seconds(), 1)
	}
}

func (u *usageTotals) result() UsageStat {
	out := UsageStat{Replies: u.replies, PromptRate: u.prompt.value(), AnswerRate: u.expected.value(), Answer: u.answer.value(),
		Reasoning: u.reasoning.value(), Reasoned: int64(len(u.reasoningTokens)), Seconds: u.seconds.value()}
	if n := len(u.reasoningTokens); n > 0 {
		slices.Sort(u.reasoningTokens)
		out.Reasoning99 = &u.reasoningTokens[(99*n+99)/100-1]
	}
	return out
}
