package run

import (
	"context"
	"math/rand/v2"
	"strings"
	"testing"
	"unicode"

	"verbatim"
	"verbatim/internal/exhaustive"
	"verbatim/internal/store"
)

// tokenizers count the tokens of a text as kinds of tokenizers do. None was used to choose the numbers
// of Shortening.
var tokenizers = map[string]func(string) int{
	"bytes":      func(s string) int { return len(s) },
	"characters": func(s string) int { return len([]rune(s)) },
	"quarters":   func(s string) int { return (len(s) + 3) / 4 },
	"words": func(s string) int { // a vocabulary that has every word with its space, and three digits
		return pieces(s, 14, 3, 1)
	},
	"pairs":    func(s string) int { return pieces(s, 5, 1, 2) },
	"syllable": func(s string) int { return pieces(s, 3, 2, 4) },
}

// pieces counts the tokens of a vocabulary with at most so many letters, digits and other characters in
// a token, and with any number of equal characters.
func pieces(s string, letter, digit, other int) (n int) {
	kind := func(r rune) int {
		switch {
		case unicode.IsLetter(r) && r < 0x2e80:
			return letter
		case unicode.IsDigit(r):
			return digit
		}
		return other
	}
	last, left := rune(0), 0
	for _, r := range s {
		switch {
		case r == last:
		case left > 0 && (kind(r) == kind(last) || last == ' '):
			left--
		default:
			n++
			left = kind(r) - 1
		}
		last = r
	}
	return n
}

// scripts make texts of about n characters.
var scripts = map[string]func(rng *rand.Rand, n int) string{
	"words": func(rng *rand.Rand, n int) string {
		list := strings.Fields("the of responsibilities a international word government list characterization is on environmental copy")
		var b strings.Builder
		for b.Len() < n {
			b.WriteString(list[rng.IntN(len(list))] + " ")
		}
		return b.String()
	},
	"letters": func(rng *rand.Rand, n int) string {
		return letters(rng, n, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ")
	},
	"digits": func(rng *rand.Rand, n int) string { return letters(rng, n, "0123456789") },
	"han": func(rng *rand.Rand, n int) string {
		return letters(rng, n, "的一是不了人我在有他这中大来上国")
	},
	"emoji": func(rng *rand.Rand, n int) string {
		return letters(rng, n, "🙂🚀🌍🎉👍🏽❤️☀️👩‍🚀")
	},
	"hindi": func(rng *rand.Rand, n int) string {
		return letters(rng, n, "नमस्ते दुनिया यह एक परीक्षण है ")
	},
	"list": func(rng *rand.Rand, n int) string {
		return "[" + strings.Repeat("'"+letters(rng, 6, "abcdef")+"', ", n/10) + "]"
	},
	"one":    func(rng *rand.Rand, n int) string { return strings.Repeat(letters(rng, 1, "a .-\t"), n) },
	"breaks": func(rng *rand.Rand, n int) string { return strings.Repeat("\r\n", n/2) + letters(rng, n/20, "ab \n") },
}

func letters(rng *rand.Rand, n int, from string) string {
	all := []rune(from)
	b := make([]rune, n)
	for i := range b {
		b[i] = all[rng.IntN(len(all))]
	}
	return string(b)
}

// An endpoint that shortens no prompt never looks as if it did, whatever its tokenizer and its template
// are, and in whatever order short and long items of any script come. If it does, then no reply
// counts that had less than nine tenths of its prompt, but for those before the first evidence, which are
// found afterwards. Prompts within its bound count.
func TestShortening(t *testing.T) {
	t.Parallel()
	lengths := []int{4, 40, 150, 600, 2000, 5000, 12_000, 35_000}
	var names []string
	for name := range scripts {
		names = append(names, name)
	}
	for name, count := range tokenizers {
		for _, bound := range []int64{0, 512, 2050, 8192} {
			for seed := range uint64(exhaustive.Of(6, 100)) {
				rng := rand.New(rand.NewPCG(seed, uint64(bound)))
				template := []int64{0, 12, 60, 900}[rng.IntN(4)]
				some := names
				if seed%3 > 0 { // a run with one or two scripts
					rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
					some = names[:seed%3]
				}
				type sent struct {
					counted
					tokens int64 // of the whole prompt
				}
				var all []sent
				s := Shortening{}
				found := false
				for range 80 {
					family := some[rng.IntN(len(some))]
					prompt := verbatim.Prompt{{Content: []verbatim.Part{{Text: "Copy this text exactly, and write nothing else:\n\n" +
						scripts[family](rng, lengths[rng.IntN(len(lengths))]*(90+rng.IntN(20))/100)}}}}
					one := sent{measure(prompt), template + int64(count(prompt[0].Content[0].Text))}
					if one.counted.tokens = one.tokens; bound > 0 {
						one.counted.tokens = min(one.tokens, bound)
					}
					if _, skipped := s.tooLong(family, one.counted); s.found() && skipped {
						if bound == 0 || one.tokens <= bound {
							t.Errorf("%s, %d: a prompt of %d tokens is not sent: %+v", name, bound, one.tokens, &s)
						}
						continue
					}
					found = s.learn(family, one.counted) || found
					all = append(all, one)
				}
				for _, one := range all {
					is, cut := s.shortened(one.counted), one.counted.tokens*10 < one.tokens*9
					if bound == 0 && (is || found) || is && one.tokens < bound*99/100 || found && cut && !is {
						t.Errorf("%s, %d, %v: %+v is shortened: %v, found: %v, %+v", name, bound, some, one, is, found, &s)
						break
					}
				}
				for _, one := range all {
					if bound > template && !found && len(some) < 3 && one.tokens > 6*bound && 2*one.varied > one.length && one.length > 4*bound {
						t.Errorf("%s, %d, %v: not found: %+v, %+v", name, bound, some, one, &s)
						break
					}
				}
			}
		}
	}
}

// TestShortenedRun: of an endpoint that shortens prompts to 512 tokens, no reply to a part of a prompt
// counts, not even those that were saved before it was known, and what they cost is counted once. Later
// prompts are not sent.
func TestShortenedRun(t *testing.T) {
	t.Parallel()
	const n, bound = 60, 512
	s := newStore(t)
	r := begin(t, s, "m", n)
	size := func(seq int64) int { return []int{3200, 2600, 400, 2400, 1600, 3000}[seq%6] + int(seq) }
	sent := map[int64]bool{}
	result := finished(t, Config{Store: s, Lanes: []Lane{{Run: r, Jobs: 1,
		Source: func(saved *store.Positions) (verbatim.Source, error) {
			seq := int64(-1)
			return &Fixed{Saved: saved, Places: func() (Planned, bool) {
				seq++
				at := seq
				return Planned{Seq: at, Request: func() (verbatim.Request, error) {
					it := item(at)
					it.Prompt = verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: letters(rand.New(rand.NewPCG(1, uint64(at))), size(at), "abcdefghijklmnopqrstuvwxyz")}}}}
					return requestOf(it, at), nil
				}}, at < n
			}}, nil
		},
		Model: modelFunc(func(ctx context.Context, r verbatim.Request) (verbatim.Reply, error) {
			sent[r.Seq] = true
			reply, err := right(ctx, r)
			reply.Cost = new(verbatim.Money(1000))
			if tokens := int64(size(r.Seq)) / 4; tokens > bound {
				reply.Text, reply.Usage.Prompt = "half", new(int64(bound))
			} else {
				reply.Usage.Prompt = &tokens
			}
			return reply, err
		})}}})
	var spent verbatim.Money
	for seq, rec := range records(t, s, r.N) {
		whole := size(seq)/4 <= bound
		switch {
		case whole && rec.Outcome != verbatim.Pass:
			t.Errorf("position %d of %d characters: %s", seq, size(seq), rec.Outcome)
		case whole:
			spent += *rec.Reply.Cost
		case rec.Outcome != verbatim.Skipped || rec.Failure.Class != verbatim.Shortened || len(rec.Failure.Attempts) != map[bool]int{true: 1}[sent[seq]]:
			t.Errorf("position %d of %d characters: %s, %+v", seq, size(seq), rec.Outcome, rec.Failure)
		case sent[seq]:
			spent += *rec.Failure.Attempts[0].Cost
		}
	}
	if l := result.Lanes[0]; l.Shortened != 40 || l.Tally[verbatim.Pass] != 20 || l.Tally[verbatim.Skipped] != 40 || l.Tally[verbatim.Wrong] != 0 {
		t.Errorf("%+v", l)
	}
	if len(sent) > 48 || spent != verbatim.Money(1000*len(sent)) {
		t.Errorf("%d requests were sent, for %v", len(sent), spent)
	}
	if wrong, err := s.Verify(ctx, func(store.Verification) {}); err != nil || len(wrong) > 0 {
		t.Errorf("%v, %v", wrong, err)
	}
}
