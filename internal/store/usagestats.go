package store

import (
	"context"
	"slices"
	"time"

	"verbatim"
	"verbatim/internal/store/rows"
	"verbatim/internal/store/sqlite"
)

// A UsageStat is what replies of a model took, for estimates of what others will
// take. Nil is not known.
type UsageStat struct {
	Replies int64 // how many were looked at
	// PromptRate is tokens of the prompt for each byte of its texts, AnswerRate
	// tokens of the answer, without reasoning, for each byte of the wanted text (of
	// a list: of what Answer.MarshalJSON writes). Both are sums over sums.
	PromptRate, AnswerRate *float64
	Answer                 *float64 // mean tokens of an answer, without reasoning
	Reasoning              *float64 // mean tokens of reasoning
	// Reasoned is the number of replies of which the tokens of reasoning are known,
	// and Reasoning99 is what 99 of 100 of them did not exceed (nearest rank).
	Reasoned    int64
	Reasoning99 *int64
	Seconds     *float64 // mean, from the start to the end; batches are left out
}

// UsageStats are a model's, over all and by the family of the item.
type UsageStats struct {
	UsageStat
	Families map[string]UsageStat
}

// usageSampleSize is how many records are looked at: enough for a 99th percentile
// that is not the largest of a few, and read in a few milliseconds.
const usageSampleSize = 2000

// UsageStats returns what the newest replies of a model took, at most usageSampleSize of
// them, from the runs that were asked here and for which like holds; a nil like
// takes all. Its time does not depend on the length of the file.
func (s *Store) UsageStats(ctx context.Context, model string, like func(verbatim.Run) bool) (UsageStats, error) {
	all := &usageTotals{}
	families := map[string]*usageTotals{}
	err := s.file.View(func(c *sqlite.Conn) error {
		runs, err := runsOfModel(ctx, c, model)
		if err != nil {
			return err
		}
		mean, left := rows.NewStringTable(c), int64(usageSampleSize)
		for i := range runs {
			run := runs[i].Run
			if like != nil && !like(run) {
				continue
			}
			if left, err = sampleUsage(ctx, c, mean, run.N, left, func(facts map[string]string, t *usageSample) {
				family := families[facts[verbatim.FactFamily]]
				if family == nil {
					family = &usageTotals{}
					families[facts[verbatim.FactFamily]] = family
				}
				all.add(t)
				family.add(t)
			}); err != nil || left <= 0 {
				return err
			}
		}
		return nil
	})
	h := UsageStats{UsageStat: all.result(), Families: map[string]UsageStat{}}
	for name, f := range families {
		h.Families[name] = f.result()
	}
	return h, err
}

// runsOfModel returns the newest runs of a model here.
func runsOfModel(ctx context.Context, c *sqlite.Conn, model string) ([]rows.SavedRun, error) {
	return sqlite.QueryList(ctx, c, rows.ScanRun, rows.SelectRun+` WHERE run.model = ? AND run.origin = '' ORDER BY run.id DESC LIMIT 100`, model)
}

// An usageSample is what one reply took.
type usageSample struct {
	prompt, completion, reasoning *int64
	promptBytes, wantBytes        int64 // 0: not known
	seconds                       *float64
}

// sampleUsage hands on what the last replies of a run took, of at most limit records,
// and returns how many of them are left to look at.
func sampleUsage(ctx context.Context, c *sqlite.Conn, mean *rows.StringTable, run, limit int64, do func(facts map[string]string, t *usageSample)) (left int64, err error) {
	first, last := rows.Span(run)
	r, err := c.Query(ctx, `
		SELECT r.finish, r.prompt_tokens, r.completion_tokens, r.reasoning_tokens, r.total, r.batch, i.facts, q.want,
			CASE WHEN r.prompt IS NULL THEN q.prompt ELSE p.body END
		FROM reply r CROSS JOIN item i ON i.id = r.item JOIN question q ON q.item = r.item LEFT JOIN prompt p ON p.id = r.prompt
		WHERE r.place BETWEEN ? AND ? ORDER BY r.place DESC LIMIT ?`, first, last, limit)
	if err != nil {
		return limit, err
	}
	defer func() {
		if e := r.Close(); err == nil {
			err = e
		}
	}()
	for r.Next() {
		limit--
		if r.Raw() == nil { // there is no reply
			continue
		}
		t := &usageSample{prompt: r.OptInt(), completion: r.OptInt(), reasoning: r.OptInt()}
		if total := sqlite.Optional(r, new(time.Duration)); r.Raw() == nil && total != nil {
			seconds := total.Seconds()
			t.seconds = &seconds
		}
		facts, err := mean.Facts(r.Int())
		if err != nil {
			return limit, err
		}
		t.wantBytes, t.promptBytes = expectedBytes(r.Text()), promptBytes(r.Text())
		do(facts, t)
	}
	return limit, nil
}

// expectedBytes is the length of a expected answer, given in JSON; 0 where it cannot be
// read.
func expectedBytes(want string) int64 {
	a, err := rows.DecodeAnswer(want)
	if err != nil || !a.IsList() {
		return int64(len(a.Text))
	}
	b, _ := a.MarshalJSON() // what was read from JSON has a JSON form
	return int64(len(b))
}

// promptBytes is the length of the texts of a prompt, given in JSON; 0 where it
// is not known or not all: an image is no text.
func promptBytes(prompt string) (n int64) {
	image := false
	p, err := rows.DecodePrompt(prompt, func(string) ([]byte, error) { return nil, nil })
	for _, m := range p {
		for _, part := range m.Content {
			n += int64(len(part.Text))
			image = image || part.Image != nil
		}
	}
	if image || err != nil {
		return 0
	}
	return n
}

// An usageTotals adds up what replies took.
type usageTotals struct {
	replies                  int64
	prompt, answer, expected ratio
	reasoning, seconds       ratio
	reasoningTokens          []int64
}

// A ratio is a sum over a sum.
type ratio struct{ of, by float64 }

func (r *ratio) add(of, by float64) { r.of, r.by = r.of+of, r.by+by }

func (r ratio) value() *float64 {
	if r.by == 0 {
		return nil
	}
	v := r.of / r.by
	return &v
}

func (h *usageTotals) add(t *usageSample) {
	h.replies++
	if t.prompt != nil && t.promptBytes > 0 {
		h.prompt.add(float64(*t.prompt), float64(t.promptBytes))
	}
	if t.completion != nil {
		answer := float64(*t.completion)
		if t.reasoning != nil {
			answer = max(answer-float64(*t.reasoning), 0)
		}
		h.answer.add(answer, 1)
		if t.wantBytes > 0 {
			h.expected.add(answer, float64(t.wantBytes))
		}
	}
	if t.reasoning != nil {
		h.reasoning.add(float64(*t.reasoning), 1)
		h.reasoningTokens = append(h.reasoningTokens, *t.reasoning)
	}
	if t.seconds != nil {
		h.seconds.add(*t.seconds, 1)
	}
}

func (h *usageTotals) result() UsageStat {
	out := UsageStat{Replies: h.replies, PromptRate: h.prompt.value(), AnswerRate: h.expected.value(), Answer: h.answer.value(),
		Reasoning: h.reasoning.value(), Reasoned: int64(len(h.reasoningTokens)), Seconds: h.seconds.value()}
	if n := len(h.reasoningTokens); n > 0 {
		slices.Sort(h.reasoningTokens)
		out.Reasoning99 = &h.reasoningTokens[(99*n+99)/100-1]
	}
	return out
}
