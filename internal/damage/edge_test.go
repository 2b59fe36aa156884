package damage_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/damage"
	"verbatim/internal/exhaustive"
	"verbatim/internal/grade"
	"verbatim/internal/pylit"
)

// Answers that occur in talk by themselves are not hidden in it. Those that are nothing but
// talk are not looked for there: the grader finds an answer without knowing it.
func TestExplainedWords(t *testing.T) {
	r := rng(5)
	for _, want := range []string{"answer", "Here is the", "result", "nswer", "esul", "el", "you need", "The", "a", "sorry", "to do that"} {
		for _, s := range damage.Spoilers("text") {
			talk := slices.Contains([]string{"answer", "Here is the", "result", "sorry", "you need", "to do that", "a"}, want)
			if s.Label != "explained" && s.Label != "refusal" || talk && s.Label == "explained" {
				continue
			}
			for range 40 {
				it := copyItem(want)
				if reply, ok := s.Spoil(r, &it); ok {
					if g := grade.Of(&it, reply, ""); g.Label != s.Label {
						t.Errorf("%s of %q: %q is %s", s.Label, want, reply, g.Label)
					}
				}
			}
		}
	}
}

// A carry can be forgotten wherever one enters, also where it comes from far.
func TestCarryPlaces(t *testing.T) {
	it := verbatim.Item{Want: verbatim.TextAnswer("1000"), Source: &verbatim.Answer{List: []any{int64(555), int64(445)}}, Grader: "integer"}
	places := map[int]bool{}
	r := rng(6)
	for range 100 {
		for _, s := range damage.Spoilers("integer") {
			if s.Label == "carry" {
				reply, _ := s.Spoil(r, &it)
				for i := range reply {
					if reply[i] != "1000"[i] {
						places[i] = true
					}
				}
			}
		}
	}
	if len(places) != 3 || places[3] {
		t.Errorf("carries at %v", places)
	}
}

// Spoilers leave alone what gives them no room, and never call a right reply wrong.
func TestShortItems(t *testing.T) {
	r := rng(7)
	for _, grader := range grade.Names() {
		given := 0
		for _, s := range damage.Spoilers(grader) {
			for n := range 12 {
				for range exhaustive.Of(7, 20) {
					var it verbatim.Item
					switch {
					case strings.HasPrefix(grader, "integer"):
						it = verbatim.Item{Want: verbatim.TextAnswer(drawText(r, "0123456789", n+1)), Grader: grader}
					case grader == "json":
						it = verbatim.Item{Want: verbatim.TextAnswer(fmt.Sprintf(`{"%s": [%d]}`, drawText(r, "ab", n), n)), Grader: grader}
					case strings.HasPrefix(grader, "text"):
						it = copyItem(drawText(r, "ab", n))
						if r.IntN(2) == 0 {
							it = reverseItem(it.Want.Text)
						}
						it.Grader = grader
					default:
						it = sortItem(r, listKinds[r.IntN(len(listKinds))], n)
						it.Grader = grader
					}
					reply, ok := s.Spoil(r, &it)
					if !ok {
						continue
					}
					given++
					if g := grade.Of(&it, reply, ""); g.Exact {
						t.Errorf("%s %s: %q is right for %q", grader, s.Label, reply, damage.Right(&it))
					}
				}
			}
		}
		if given == 0 {
			t.Errorf("%s: nothing was spoilt", grader)
		}
	}
}

// The same generator gives the same replies.
func TestDeterminism(t *testing.T) {
	for _, grader := range grade.Names() {
		for _, s := range damage.Spoilers(grader) {
			var replies [2]string
			for i := range replies {
				r := rng(3)
				it := textItem(r)
				switch {
				case strings.HasPrefix(grader, "integer"):
					it = sumItem(r, grader, 12)
				case grader == "json":
					it = verbatim.Item{Want: verbatim.TextAnswer(`{"a": [1, "b"]}`)}
				case !strings.HasPrefix(grader, "text"):
					it = sortItem(r, "word", 12)
				}
				replies[i], _ = s.Spoil(r, &it)
			}
			if replies[0] != replies[1] {
				t.Errorf("%s %s: %q and %q", grader, s.Label, replies[0], replies[1])
			}
		}
	}
	if damage.Spoilers("judge") != nil {
		t.Error("spoilers of a grader that does not exist")
	}
}

func TestNearMisses(t *testing.T) {
	r := rng(11)
	named := map[string]bool{}
	for range exhaustive.Of(30, 300) {
		items := []verbatim.Item{copyItem(drawText(r, alnum, 1+r.IntN(30))), reverseItem(drawText(r, "aB1é ", 1+r.IntN(9)) + "x"), sumItem(r, "integer", 1+r.IntN(9)), sumItem(r, "integer-reference", 1+r.IntN(9))}
		for _, kind := range listKinds {
			for _, grader := range []string{"", "sortbench", "sortbench-reference"} {
				it := sortItem(r, kind, r.IntN(9))
				it.Grader = grader
				items = append(items, it)
			}
		}
		items[1].Want.Text = strings.Trim(items[1].Want.Text, " ")
		for _, it := range items {
			if g := grade.Of(&it, damage.Right(&it), verbatim.FinishStop); !g.Exact {
				t.Fatalf("the right reply %q: %+v", damage.Right(&it), g)
			}
			misses := damage.NearMisses(r, &it)
			if len(misses) < 3 {
				t.Errorf("%q has %d near misses", damage.Right(&it), len(misses))
			}
			for _, m := range misses {
				named[m.Name] = true
				if g := grade.Of(&it, m.Reply, verbatim.FinishStop); g.Exact {
					t.Errorf("%s: %q passes for %q by %s", m.Name, m.Reply, damage.Right(&it), g.Grader)
				}
			}
		}
	}
	if len(named) != 26 {
		t.Errorf("%d kinds of near misses: %v", len(named), named)
	}
	it := sortItem(r, "int", 5)
	if !slices.ContainsFunc(damage.NearMisses(r, &it), func(m damage.NearMiss) bool {
		return m.Name == "an item is of another type" && strings.Contains(m.Reply, ".0")
	}) {
		t.Error("no whole number was written as a float")
	}
}

func TestRight(t *testing.T) {
	list := []any{int64(-3), 2.0, "a'b", nil}
	it := verbatim.Item{Want: verbatim.ListAnswer(list)}
	if got := damage.Right(&it); got != pylit.Format(list) {
		t.Error(got)
	}
	it = copyItem(" a\n")
	if got := damage.Right(&it); got != " a\n" {
		t.Error(got)
	}
}
