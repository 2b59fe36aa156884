package fake_test

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"testing/synctest"

	"verbatim"
	"verbatim/internal/fake"
	"verbatim/internal/modeltest"
	"verbatim/internal/wire"
)

// outcomes sends prompts in an order and returns the outcome of each: the answer, or
// the class of its failure.
func outcomes(t *testing.T, c fake.Config, order []int) map[int]string {
	t.Helper()
	s := ready(t, c)
	transport, stop := inMemory(s)
	defer stop()
	out := map[int]string{}
	for _, i := range order {
		reply, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, "http://fake.test", i%2 == 0), says(fmt.Sprint("prompt ", i)), 0, verbatim.Params{})
		out[i] += reply.Text
		var f *verbatim.Failure
		if errors.As(err, &f) {
			out[i] += fmt.Sprint(f.Class, f.Status, f.Attempts[0].Bytes)
		}
	}
	return out
}

// What happens depends on the seed, the prompt and how often it was sent, and on
// nothing else.
func TestOrderDoesNotMatter(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var items []verbatim.Item
		var order []int
		for i := range 60 {
			items = append(items, copied(fmt.Sprint("prompt ", i)))
			order = append(order, i, i)
		}
		c := fake.Config{Item: fake.NewIndex(items...).Item, Wrong: 0.5, Faults: faults(t, "429:0.1 cut:0.2 500:0.1")}
		first := outcomes(t, c, order)
		shuffled := slices.Clone(order)
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(shuffled), func(i, j int) { shuffled[i], shuffled[j] = shuffled[j], shuffled[i] })
		second := outcomes(t, c, shuffled)
		c.Seed = 2
		third := outcomes(t, c, order)
		differ := 0
		for i := range 60 {
			if first[i] != second[i] {
				t.Errorf("prompt %d: %q, in another order %q", i, first[i], second[i])
			}
			if first[i] != third[i] {
				differ++
			}
		}
		if differ < 30 {
			t.Errorf("another seed changes %d of 60 prompts", differ)
		}
	})
}

// The second request for a prompt draws its own fault, and prompts with other roles are
// other prompts.
func TestEveryTryIsDrawn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ready(t, fake.Config{Echo: true, Faults: faults(t, "500:0.5")})
		transport, stop := inMemory(s)
		defer stop()
		differ := 0
		for i := range 60 {
			first, _, _ := try(t.Context(), transport, fmt.Sprint(i))
			if second, _, _ := try(t.Context(), transport, fmt.Sprint(i)); first != second {
				differ++
			}
		}
		if differ < 15 || differ > 45 {
			t.Errorf("%d of 60 prompts met something else the second time", differ)
		}
		other := says("0")
		other[0].Role = "assistant"
		if asked, _ := s.Asked(other); asked != 0 {
			t.Error("prompts of different roles are one")
		}
	})
}

// Faults have the shares that are configured, within five standard deviations.
func TestShares(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const n = 3000
		items := make([]verbatim.Item, n)
		for i := range items {
			items[i] = copied(fmt.Sprint("prompt number ", i, " with letters"))
		}
		s := ready(t, fake.Config{Item: fake.NewIndex(items...).Item, Wrong: 0.1, Faults: faults(t, "429:0.05 500:0.3,tries=1 refusal:0.02")})
		transport, stop := inMemory(s)
		defer stop()
		wrong := 0
		for i := range items {
			reply, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, "http://fake.test", false), items[i].Prompt, 0, verbatim.Params{})
			if err == nil && reply.Finish == verbatim.FinishStop && reply.Text != items[i].Want.Text {
				wrong++
			}
		}
		c := s.Counts()
		near := func(what string, got int64, share float64) {
			t.Helper()
			if d := math.Abs(float64(got) - n*share); d > 5*math.Sqrt(n*share*(1-share)) {
				t.Errorf("%s: %d of %d, want a share of %v", what, got, n, share)
			}
		}
		near("429", c.Faults["429"], 0.05)
		near("500", c.Faults["500"], 0.3)
		near("refusal", c.Faults["refusal"], 0.02)
		near("wrong", int64(wrong), 0.1*0.63)
		if c.Prompts != n || c.Requests != n || c.Refused != c.Faults["429"]+c.Faults["500"] || c.Answered != n-c.Refused || c.Twice != 0 {
			t.Errorf("%+v", c)
		}
	})
}

// Positions count requests as they arrive; attempts count the requests for one prompt.
func TestPlacesAndTries(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := ready(t, fake.Config{Echo: true, Faults: faults(t, "401@1 503@3-4 529,tries=1")})
		transport, stop := inMemory(s)
		defer stop()
		var got []int
		for _, text := range []string{"a", "a", "b", "b", "b", "c", "c", "c"} {
			_, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, "http://fake.test", false), says(text), 0, verbatim.Params{})
			var f *verbatim.Failure
			if errors.As(err, &f) {
				got = append(got, f.Status)
			} else {
				got = append(got, 200)
			}
		}
		if want := []int{401, 200, 503, 503, 200, 529, 200, 200}; !slices.Equal(got, want) {
			t.Errorf("%v, want %v", got, want)
		}
		c := s.Counts()
		if asked, answered := s.Asked(says("c")); asked != 3 || answered != 2 || c.Twice != 1 || c.Answered != 4 || c.Prompts != 3 {
			t.Errorf("asked %d, answered %d, %+v", asked, answered, c)
		}
		if c.Statuses[503] != 2 || c.Statuses[401] != 1 {
			t.Errorf("%v", c.Statuses)
		}
	})
}

// An answer is as long as its token limit allows, and says when the limit truncated it.
func TestTokenLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const text = "äöüÄÖÜ0123456789"
		s := ready(t, fake.Config{Item: fake.NewIndex(copied(text)).Item})
		transport, stop := inMemory(s)
		defer stop()
		for limit, want := range map[int]string{1: "äö", 2: "äöüÄ", 3: "äöüÄÖÜ", 6: "äöüÄÖÜ0123456789"[:22], 7: text, 8: text} {
			reply, err := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, "http://fake.test", true), says(text), limit, verbatim.Params{})
			if limit == 6 {
				want = text
			}
			finish := verbatim.FinishLength
			if want == text {
				finish = verbatim.FinishStop
			}
			if err != nil || reply.Text != want || reply.Finish != finish {
				t.Errorf("%d tokens: %q, %s, %v", limit, reply.Text, reply.Finish, err)
			}
		}
		for _, unknown := range []string{"", "what?"} {
			if reply, _ := modeltest.Send(t.Context(), wire.Chat(), endpoint(transport, "http://fake.test", true), says(unknown), 0, verbatim.Params{}); reply.Text == "" || reply.Text == unknown {
				t.Errorf("%q to the unknown prompt %q", reply.Text, unknown)
			}
		}
	})
}
