package grade

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// levenshtein is the textbook's table.
func levenshtein(e, g []rune) int {
	row := make([]int, len(g)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range e {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range g {
			d := diagonal
			if x != y {
				d = 1 + min(diagonal, row[j], row[j+1])
			}
			diagonal, row[j+1] = row[j+1], d
		}
	}
	return row[len(g)]
}

// apply follows a script and returns what it makes of e. A stretch of which only
// the ends are named is copied.
func (s script) apply(t *testing.T, e, g []rune) []rune {
	t.Helper()
	var out []rune
	i := 0
	for n := len(s) - 1; n >= 0; n-- {
		x := s[n]
		for i < int(x.i) {
			out = append(out, e[i])
			i++
		}
		if len(out) != int(x.j) {
			t.Fatalf("step %v at %d of the reply", x, len(out))
		}
		switch x.kind {
		case inserted:
			out = append(out, g[x.j])
		case deleted:
			i++
		case substituted:
			out = append(out, g[x.j])
			i++
		}
	}
	return append(out, e[i:]...)
}

func TestDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	drawn := func(n, letters int) []rune {
		out := make([]rune, n)
		for i := range out {
			out[i] = rune('a' + r.IntN(letters))
			if letters > 20 && r.IntN(2) == 0 {
				out[i] += 0x400
			}
		}
		return out
	}
	for range 4000 {
		letters := []int{1, 2, 3, 26}[r.IntN(4)]
		e := drawn(1+r.IntN(150), letters)
		g := drawn(1+r.IntN(150), letters)
		if r.IntN(2) == 0 { // not far away
			g = slices.Clone(e)
			for range r.IntN(12) {
				i := r.IntN(len(g) + 1)
				switch r.IntN(3) {
				case 0:
					g = slices.Insert(g, i, drawn(1, letters)...)
				case 1:
					if i < len(g) {
						g[i] = 'b'
					}
				case 2:
					if i < len(g) && len(g) > 1 {
						g = slices.Delete(g, i, i+1)
					}
				}
			}
		}
		want := levenshtein(e, g)
		var m matrix
		if d := m.fill(e, g, true); d != want {
			t.Fatalf("%q, %q: matrix %d, want %d", string(e), string(g), d, want)
		}
		if d := new(matrix).fill(e, g, false); d != want {
			t.Fatalf("%q, %q: columns %d, want %d", string(e), string(g), d, want)
		}
		scripts := map[string]script{"matrix": m.script(e, g)}
		s, d, ok := diagonals(e, g)
		if !ok || d != want {
			t.Fatalf("%q, %q: diagonals %d %v, want %d", string(e), string(g), d, ok, want)
		}
		scripts["diagonals"] = s
		for name, s := range scripts {
			if got := s.apply(t, e, g); !slices.Equal(got, g) {
				t.Fatalf("%s: %q, %q: makes %q", name, string(e), string(g), string(got))
			}
			if c := s.count(e, g, want); c.inserted+c.deleted+c.substituted+2*c.swapped != want {
				t.Fatalf("%s: %q, %q: %+v do not add up to %d", name, string(e), string(g), c, want)
			}
		}
		if c := align(e, g); c.distance != want || c.bound || !c.counted {
			t.Fatalf("%q, %q: %+v, want %d", string(e), string(g), c, want)
		}
	}
}

func TestEdits(t *testing.T) {
	for _, c := range []struct {
		e, g                                    string
		inserted, deleted, substituted, swapped int
	}{
		{"abc", "abc", 0, 0, 0, 0},
		{"", "abc", 3, 0, 0, 0},
		{"abc", "", 0, 3, 0, 0},
		{"abcd", "acbd", 0, 0, 0, 1},
		{"abcdef", "bacdfe", 0, 0, 0, 2},
		{"abcdef", "badcfe", 1, 1, 2, 0}, // four edits are fewer than three swaps
		{"abcdef", "abxdef", 0, 0, 1, 0},
		{"abcdef", "acdef", 0, 1, 0, 0},
		{"kitten", "sitting", 1, 0, 2, 0},
		{"ab", "ba", 0, 0, 0, 1},
		{"aab", "aba", 0, 0, 0, 1},
		{"xaabx", "xabay", 1, 1, 1, 0},
	} {
		got := align([]rune(c.e), []rune(c.g))
		want := edits{got.distance, false, true, c.inserted, c.deleted, c.substituted, c.swapped}
		if got != want {
			t.Errorf("%s, %s: %+v, want %+v", c.e, c.g, got, want)
		}
	}
}

// What only looks like a swap is not counted as one.
func TestSwap(t *testing.T) {
	for _, c := range []struct {
		e, g  string
		steps script // last first
		width int
	}{
		{"ab", "ba", script{{substituted, 1, 1}, {substituted, 0, 0}}, 2},
		{"ab", "bc", script{{substituted, 1, 1}, {substituted, 0, 0}}, 0},
		{"ab", "ca", script{{substituted, 1, 1}, {substituted, 0, 0}}, 0},
		{"aa", "aa", script{{substituted, 1, 1}, {substituted, 0, 0}}, 0},
		{"ab", "ba", script{{inserted, 2, 1}, {substituted, 1, 0}, {deleted, 0, 0}}, 3},
		{"ab", "bc", script{{inserted, 2, 1}, {substituted, 1, 0}, {deleted, 0, 0}}, 0},
		{"ab", "ca", script{{inserted, 2, 1}, {substituted, 1, 0}, {deleted, 0, 0}}, 0},
		{"ab", "ba", script{{deleted, 1, 2}, {substituted, 0, 1}, {inserted, 0, 0}}, 3},
		{"ac", "ba", script{{deleted, 1, 2}, {substituted, 0, 1}, {inserted, 0, 0}}, 0},
		{"abcd", "bcda", script{{inserted, 4, 3}, {substituted, 3, 2}, {substituted, 1, 0}, {deleted, 0, 0}}, 0},
		{"abca", "bcaa", script{{inserted, 3, 2}, {substituted, 1, 0}, {deleted, 0, 0}}, 0}, // a stretch of two between
		{"ab", "b", script{{substituted, 1, 0}, {deleted, 0, 0}}, 0},
	} {
		if got := c.steps.swap(len(c.steps)-1, []rune(c.e), []rune(c.g)); got != c.width {
			t.Errorf("%s, %s: %d steps, want %d", c.e, c.g, got, c.width)
		}
	}
}

// Long texts: exact where they are near or not too long, a true bound elsewhere.
func TestLongDistance(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	drawn := func(n int) []rune {
		out := make([]rune, n)
		for i := range out {
			out[i] = rune('a' + r.IntN(26))
		}
		return out
	}
	e := drawn(11_000)
	g := slices.Clone(e)
	for i := 100; i < len(g); i += 50 {
		g[i] = '#'
	}
	g[3], g[4] = '1', '2'
	n := 218 + 2
	if got := align(e, g); got != (edits{n, false, true, 0, 0, n, 0}) {
		t.Errorf("%+v, want %d substitutions", got, n)
	}
	for i := 0; i < len(g); i += 7 {
		g[i] = '#'
	}
	if got := align(e, g); got.distance < 1100 || got.distance > 1900 || got.bound || got.counted {
		t.Errorf("more than maxEdits: %+v", got)
	}
	far := align(drawn(1<<17), append(drawn(1<<17), '#', '#'))
	if !far.bound || far.counted || far.distance <= maxEdits || far.distance > 1<<17 {
		t.Errorf("random texts: %+v", far)
	}
	if d := align(make([]rune, 1<<17), append(drawn(1<<17), 1)); d != (edits{distance: 1<<17 + 1, bound: true}) {
		t.Errorf("nothing in common: %+v", d)
	}
	uneven := align(drawn(10), drawn(200_000))
	if uneven.bound || uneven.distance < 199_990 || uneven.distance > 200_000 {
		t.Errorf("a short and a long text: %+v", uneven)
	}
}

// Where only a bound is known, the label and its detail say so.
func TestBoundInGrade(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	a, b := drawAlnum(r, 1<<17), drawAlnum(r, 1<<17)
	g := Of(textItem(a), b, "")
	if _, ok := g.Measures["distance"]; ok || g.Measures["distance_lower_bound"] < 1000 {
		t.Error(g.Measures)
	}
	if Older(g.Label) != "corrupted" || g.Detail[:8] != "ned >= 0" {
		t.Error(g.Label, g.Detail)
	}
}
