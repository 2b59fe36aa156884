package nano

import (
	"fmt"
	"os"
	"testing"

	"verbatim/internal/exhaustive"
)

// TestExactness asks the network what it was trained for, with items that it has
// never seen: it must be exact about as often as docs/nano.md says, and nearly so in
// wordings that it was never trained on. That takes 1,600 answers and half a minute.
func TestExactness(t *testing.T) {
	exhaustive.Only(t)
	n := load(t)
	for _, c := range []struct {
		family string
		length int
		least  float64 // share of exact answers
	}{
		{"copy", 64, 0.99},
		{"reverse", 32, 0.99},
		{"sort-int", 8, 0.95},
		{"sort-word", 4, 0.90},
		{"add", 4, 0.95},
	} {
		for wording, share := range map[string]float64{"": 1, "1": 0.8, "2": 0.8, "3": 0.8} {
			t.Run(fmt.Sprintf("%s-%d/wording%s", c.family, c.length, wording), func(t *testing.T) {
				t.Parallel()
				items := 40
				if wording == "" {
					items = 200 // a share of 99 % wants many
				}
				if os.Getenv("VERBATIM_EXHAUSTIVE") == "all" {
					items *= 2
				}
				exact, wrong := 0, ""
				for _, it := range draw(t, c.family, c.length, items, wording) {
					a, err := n.Answer(t.Context(), it.prompt, it.maxTokens, Sampling{})
					if err != nil {
						t.Fatal(err)
					}
					if a.Text == it.want {
						exact++
					} else {
						wrong = fmt.Sprintf("%.100q, want %q", a.Text, it.want)
					}
				}
				if least := share * c.least * float64(items); float64(exact) < least {
					t.Errorf("%d of %d answers are exact, want %.0f; the last wrong one is %s", exact, items, least, wrong)
				}
			})
		}
	}
}
