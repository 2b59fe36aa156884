package selfcheck_test

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

// A longReply is one to grade, with what it is.
type longReply struct{ name, text string }

// BenchmarkLongReplies grades replies to every task, with some 100,000 characters in the right
// answer or in the prompt, and with replies of 10 MB. The metric is the CPU time, system calls
// and garbage collection included, of the reply that takes longest: it does not depend on what
// else the machine does.
func BenchmarkLongReplies(b *testing.B) {
	if os.Getenv("VERBATIM_EXHAUSTIVE") == "" {
		b.Skip("it takes minutes: VERBATIM_EXHAUSTIVE=1 runs it")
	}
	for _, f := range task.Families() {
		long := drawLong(b, f, 100_000)
		short := drawLong(b, f, 300)
		for _, set := range []struct {
			name    string
			item    *verbatim.Item
			replies []longReply
		}{
			{"100k", long, longReplies(long, 100_000)},
			{"10MB", long, hugeReplies(long)},
			{"10MB-short", short, hugeReplies(short)},
		} {
			b.Run(f.Name+"/"+set.name, func(b *testing.B) {
				var most time.Duration
				worst := ""
				for b.Loop() {
					for _, reply := range set.replies {
						if took := leastTime(set.item, reply.text); took > most {
							most, worst = took, reply.name
						}
					}
				}
				b.ReportMetric(float64(most.Microseconds())/1000, "cpu-ms/reply")
				b.Log(worst)
			})
		}
	}
}

// leastTime is the CPU time of grading a reply, the least of three.
func leastTime(it *verbatim.Item, reply string) time.Duration {
	least := time.Duration(1<<63 - 1)
	for range 3 {
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
// characters.
func drawLong(b *testing.B, f verbatim.Family, size int) *verbatim.Item {
	n := f.DefaultLengths[len(f.DefaultLengths)-1]
	it := drawOf(b, f, n)
	has := max(len(damage.Right(it)), len(it.Prompt[len(it.Prompt)-1].Content[0].Text))
	return drawOf(b, f, min(f.Max, max(f.Min, n*size/has)))
}

func drawOf(b *testing.B, f verbatim.Family, n int) *verbatim.Item {
	plan, err := task.Plan(task.Request{Tasks: []string{f.Name}, Lengths: []verbatim.Lengths{{Min: n, Max: n}}, Items: 1, Seed: 1})
	if err != nil {
		b.Fatal(err)
	}
	deck, err := task.Open(plan, nil)
	if err != nil {
		b.Fatal(err)
	}
	place, _ := deck.Next()
	it, err := deck.Item(place)
	if err != nil {
		b.Fatal(err)
	}
	return it
}

// longReplies are the right answer, every foreseen mistake and every spoiler, with text around
// them, and texts of the size that answer nothing.
func longReplies(it *verbatim.Item, size int) (all []longReply) {
	right := damage.Right(it)
	asked := it.Prompt[len(it.Prompt)-1].Content[0].Text
	all = append(all, longReply{"right", right}, longReply{"after a sentence", "Here is the answer:\n\n" + right},
		longReply{"with the question", asked + "\n\n" + right}, longReply{"the question", asked},
		longReply{"fenced twice", "```\n" + right + "\n```\n\nOr:\n\n```\n" + right + "\n```"})
	for _, m := range it.Mistakes {
		all = append(all, longReply{"mistake " + m.Label, damage.Right(&verbatim.Item{Want: m.Answer})})
	}
	r := rand.New(rand.NewPCG(1, 1))
	for _, s := range damage.Spoilers(damage.Grader(it)) {
		if text, ok := s.Spoil(r, it); ok {
			all = append(all, longReply{"spoiler " + s.Label, text})
		}
	}
	return append(all, repeated(it, size)...)
}

// hugeReplies are replies of 10 MB.
func hugeReplies(it *verbatim.Item) []longReply { return repeated(it, 10<<20) }

// repeated repeats what an item has, in ways that lead graders to many candidates.
func repeated(it *verbatim.Item, size int) (all []longReply) {
	right := damage.Right(it)
	first, _, _ := strings.Cut(right, "\n")
	for i, piece := range []string{right, right + "\n", "The answer is: " + right + "\n\n", first + "\n", "- " + first + "\n", "[" + right + "], ", strings.ToUpper(first) + " ", "1, 2, 3\n"} {
		if piece != "" {
			all = append(all, longReply{fmt.Sprintf("repeated %d: %.20q", i, piece), strings.Repeat(piece, max(1, size/len(piece)))})
		}
	}
	return all
}
