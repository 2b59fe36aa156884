package recordview

import (
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// stepText writes a script with the elements it takes: =abc -d +e ~fg.
func stepText(want, got string, steps []step) string {
	var parts []string
	i, j := 0, 0
	for _, s := range steps {
		text := want[i:min(i+s.n, len(want))]
		if s.op == extra {
			text = got[j : j+s.n]
		}
		if s.op != extra {
			i += s.n
		}
		if s.op != missed {
			j += s.n
		}
		parts = append(parts, string(s.op)+text)
	}
	return strings.Join(parts, " ")
}

func TestScript(t *testing.T) {
	for _, c := range []struct{ want, got, text string }{
		{"", "", ""},
		{"abc", "abc", "=abc"},
		{"abc", "", "-abc"},
		{"", "abc", "+abc"},
		{"abcdef", "abdef", "=ab -c =def"},
		{"abdef", "abcdef", "=ab +c =def"},
		{"abcdef", "abXdef", "=ab ~c =def"},
		{"abcdef", "abXYdef", "=ab ~c +Y =def"},
		{"abcdef", "abXf", "=ab ~c -de =f"},
	} {
		steps, ok := editScript([]byte(c.want), []byte(c.got))
		if s := stepText(c.want, c.got, steps); !ok || s != c.text {
			t.Errorf("%q to %q: %q, want %q", c.want, c.got, s, c.text)
		}
	}
}

// Every script must lead from one text to the other, and be as short as the
// longest common subsequence allows.
func TestScriptProperties(t *testing.T) {
	text := rapid.StringOfN(rapid.RuneFrom([]rune("ab")), 0, 40, -1)
	rapid.Check(t, func(t *rapid.T) {
		want, got := text.Draw(t, "want"), text.Draw(t, "got")
		steps, ok := editScript([]byte(want), []byte(got))
		if !ok {
			t.Fatal("gave up")
		}
		i, j, edits := 0, 0, 0
		for _, s := range steps {
			switch s.op {
			case same:
				if want[i:i+s.n] != got[j:j+s.n] {
					t.Fatalf("%q is not %q", want[i:i+s.n], got[j:j+s.n])
				}
				i, j = i+s.n, j+s.n
			case missed:
				i, edits = i+s.n, edits+s.n
			case extra:
				j, edits = j+s.n, edits+s.n
			case changed:
				i, j, edits = i+s.n, j+s.n, edits+2*s.n
			}
		}
		if i != len(want) || j != len(got) {
			t.Fatalf("the script takes %d of %d and %d of %d", i, len(want), j, len(got))
		}
		if least := len(want) + len(got) - 2*common(want, got); edits != least {
			t.Fatalf("%d edits, %d would do", edits, least)
		}
	})
}

// common returns the length of the longest common subsequence.
func common(a, b string) int {
	row := make([]int, len(b)+1)
	for i := range a {
		last := 0
		for j := range b {
			up := row[j+1]
			if a[i] == b[j] {
				row[j+1] = last + 1
			} else {
				row[j+1] = max(row[j], up)
			}
			last = up
		}
	}
	return row[len(b)]
}

func TestScriptGivesUp(t *testing.T) {
	a, b := strings.Repeat("a", maxEdits), strings.Repeat("b", maxEdits)
	if _, ok := editScript([]byte(a), []byte(b)); ok {
		t.Error("there is a script of twice as many edits as are allowed")
	}
	if _, ok := editScript([]byte(a[:maxEdits/2]), []byte(b[:maxEdits/2])); !ok {
		t.Error("there is no script of exactly as many edits as are allowed")
	}
	if _, ok := editScript([]byte(a+a), []byte("")); ok {
		t.Error("there is a script that misses more than is allowed")
	}
}
