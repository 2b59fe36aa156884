package cli_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/grade"
	"verbatim/internal/task"
)

// A longReply is a reply to grade, with its form: a text that is repeated so many
// times.
type longReply struct {
	form, name, text string
	times            int
}

func (r *longReply) reply() string { return strings.Repeat(r.text, max(1, r.times)) }

// BenchmarkLongReplies grades replies to every task, with some 100,000 characters in the right
// answer or in the prompt, and with replies of 10 MB. For each form of replies it reports the CPU
// time, system calls and garbage collection included, of the one that takes longest: it does not
// depend on what else the machine does. The log names that one.
func BenchmarkLongReplies(b *testing.B) {
	if os.Getenv("VERBATIM_EXHAUSTIVE") == "" {
		b.Skip("it takes minutes: VERBATIM_EXHAUSTIVE=1 runs it")
	}
	for _, f := range task.Families() {
		for _, set := range []struct {
			name       string
			item, size int
			replies    func(it *verbatim.Item, size int) []longReply
		}{
			{"100k", 100_000, 100_000, longReplies},
			{"100k-short", 300, 100_000, longReplies},
			{"10MB", 100_000, 10 << 20, repeated},
			{"10MB-short", 300, 10 << 20, repeated},
		} {
			b.Run(f.Name+"/"+set.name, func(b *testing.B) {
				item := drawLong(b, f, set.item)
				replies := set.replies(item, set.size)
				most, worst := map[string]time.Duration{}, map[string]string{}
				for b.Loop() {
					for i := range replies {
						reply := &replies[i]
						took := leastTime(item, reply.reply())
						if took > most[reply.form] {
							most[reply.form], worst[reply.form] = took, reply.name
						}
					}
				}
				for form, took := range most {
					b.ReportMetric(float64(took.Microseconds())/1000, "cpu-ms/"+form)
				}
				b.Log(worst)
			})
		}
	}
}

// leastTime is the CPU time of grading a reply, the least of three; of a huge one, that of one time.
func leastTime(it *verbatim.Item, reply string) time.Duration {
	least := time.Duration(1<<63 - 1)
	for n := range 3 {
		if n > 0 && len(reply) > 1<<20 {
			break
		}
		before := cpuTime()
		grade.Of(it, reply, verbatim.FinishStop)
		least = min(least, cpuTime()-before)
	}
	return least
}

// cpuTime is the CPU time of this process until now.
func cpuTime() time.Duration {
	var u syscall.Rusage
	syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// drawLong draws an item whose answer or prompt, whichever is longer, has about so many
// characters, or as many as the task can have.
func drawLong(b *testing.B, f verbatim.Family, size int) *verbatim.Item {
	n := f.DefaultLengths[len(f.DefaultLengths)-1]
	it, err := drawOf(f, n)
	if err != nil {
		b.Fatal(err)
	}
	has := max(len(damage.Right(it)), len(it.Prompt[len(it.Prompt)-1].Content[0].Text))
	n = max(f.Min, n*size/has)
	if f.Max > 0 {
		n = min(n, f.Max)
	}
	for ; n > f.Min; n /= 2 { // a range of numbers has only so many
		if longer, err := drawOf(f, n); err == nil {
			return longer
		}
	}
	return it
}

func drawOf(f verbatim.Family, n int) (*verbatim.Item, error) {
	plan, err := task.Plan(task.Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{{Min: n, Max: n}}, Items: 1, Seed: 1})
	if err != nil {
		return nil, err
	}
	deck, err := task.Open(plan, nil)
	if err != nil {
		return nil, err
	}
	position, _ := deck.Next()
	return deck.Item(position)
}

// longReplies are the right answer, every foreseen mistake and every spoiler, with text around
// them, and texts of the size that answer nothing.
func longReplies(it *verbatim.Item, size int) (all []longReply) {
	right := damage.Right(it)
	asked := it.Prompt[len(it.Prompt)-1].Content[0].Text
	all = append(all, longReply{"right", "right", right, 1}, longReply{"right", "after a sentence", "Here is the answer:\n\n" + right, 1},
		longReply{"right", "with the question", asked + "\n\n" + right, 1}, longReply{"right", "the question", asked, 1},
		longReply{"right", "fenced twice", "```\n" + right + "\n```\n\nOr:\n\n```\n" + right + "\n```", 1})
	for _, m := range it.Mistakes {
		all = append(all, longReply{"wrong", "mistake " + m.Label, damage.Right(&verbatim.Item{Want: m.Answer}), 1})
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range damage.Spoilers(damage.Grader(it)) {
		if text, ok := s.Spoil(r, it); ok {
			all = append(all, longReply{"wrong", "spoiler " + s.Label, text, 1})
		}
	}
	return append(all, repeated(it, size)...)
}

// repeated are texts of the size that repeat a piece, of each form that leads graders to many
// candidates.
func repeated(it *verbatim.Item, size int) (all []longReply) {
	right := damage.Right(it)
	first, _, _ := strings.Cut(right, "\n")
	first = first[:min(len(first), 40)]
	for _, form := range []struct {
		name   string
		pieces []string
	}{
		{"answers", []string{right, right + "\n", "The answer is: " + right + "\n\n", first + "\n", "[" + right + "], ", strings.ToUpper(first) + " "}},
		{"numbers", []string{"3 ", "7, ", "3 = ", "(3 + 4) = 7; ", "not 3 ", "1\n", "x = 1\n", "12 34\n"}},
		{"lists", []string{"1, 2, 3\n", "[1, 2], ", "[1, 2, 3]\n", "- a\n", "1. a\n", "a, b, c\n", "['a', 1], ", "| a | 1 |\n", "- " + first + "\n"}},
		{"nested", []string{"[", "[[1, ", "{\"a\": ", "{\"a\": 1} ", "(", "]", "[" + strings.Repeat("1, ", 40), "[" + strings.Repeat("1, ", 40) + "\r\n"}},
		{"marks", []string{"\"ab\" ", "'x' and `y` ", "**b** ", "\"", "`", "&quot;", "\\boxed{3} ", "*a* _b_ "}},
		{"talk", []string{"The answer is 42. ", "So it is 5 and the result is 7, not 8.\n", "Wait. ", "Sure! ", "a: b: "}},
		{"fences", []string{"```\n", "```\nabc\n```\n", "<think>", "</think>"}},
		{"characters", []string{"a", "é", "日本", "\n", "\xff", "–", "\r\n"}},
	} {
		for _, piece := range form.pieces {
			if piece != "" {
				all = append(all, longReply{form.name, fmt.Sprintf("%.20q", piece), piece, size / len(piece)})
			}
		}
	}
	return all
}
