package extract

import "testing"

func TestMarks(t *testing.T) {
	for _, c := range []struct {
		off        func(string) (string, bool)
		line, rest string
		ok         bool
	}{
		{trimBullet, "• a b", "a b", true},
		{trimBullet, "1. a", "1. a", false},
		{trimNumber, "12) a", "a", true},
		{trimNumber, "12:a", "12:a", false},
		{trimItem, "3. a", "a", true},
		{trimItem, "- a", "a", true},
		{trimItem, "3: a", "3: a", false},
		{trimAround, `"a",`, "a", true},
		{trimAround, "**", "**", false},
	} {
		if rest, ok := c.off(c.line); rest != c.rest || ok != c.ok {
			t.Errorf("of %q: %q, %t; want %q, %t", c.line, rest, ok, c.rest, c.ok)
		}
	}
}

func TestOffAll(t *testing.T) {
	all := []string{"- a", "- b"}
	if !trimAll(all, trimBullet) || all[0] != "a" || all[1] != "b" {
		t.Errorf("lines with bullets are %q", all)
	}
	some := []string{"- a", "b"}
	if trimAll(some, trimBullet) || some[0] != "- a" {
		t.Errorf("lines of which one has no bullet are %q", some)
	}
}
