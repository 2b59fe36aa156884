package linemark

import "testing"

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		off        func(string) (string, bool)
		line, rest string
		ok         bool
	}{
		{Bullet, "• a b", "a b", true},
		{Bullet, "1. a", "1. a", false},
		{Number, "12) a", "a", true},
		{Number, "12:a", "12:a", false},
		{Item, "3. a", "a", true},
		{Item, "- a", "a", true},
		{Item, "3: a", "3: a", false},
		{Around, `"a",`, "a", true},
		{Around, "**", "**", false},
	} {
		if rest, ok := c.off(c.line); rest != c.rest || ok != c.ok {
			t.Errorf("of %q: %q, %t; want %q, %t", c.line, rest, ok, c.rest, c.ok)
		}
	}
}

func TestOffAll(t *testing.T) {
	all := []string{"- a", "- b"}
	if !OffAll(all, Bullet) || all[0] != "a" || all[1] != "b" {
		t.Errorf("lines with bullets are %q", all)
	}
	some := []string{"- a", "b"}
	if OffAll(some, Bullet) || some[0] != "- a" {
		t.Errorf("lines of which one has no bullet are %q", some)
	}
}
