package pylit

import "testing"

// TestKeep: values hold whatever the parser reads afterwards.
func TestKeep(t *testing.T) {
	texts := []string{"[1, 2, 3]", "[[1, 2], [3], []]", "[]", "[4, [5, (6, 7)], {8: [9]}]", "['a', 1.5]", "[[]]", "[1, [2]]", "[[[1]], 2]", "((1, 2), [3, 4])", "{1, 2}", "7", "'x'", "[9, 9, 9, 9]"}
	var p Parser
	var values []Value
	for range 3 {
		for _, text := range texts {
			v, err := p.Parse(text)
			if err != nil {
				t.Fatal(text, err)
			}
			values = append(values, p.Keep(v))
			p.Prefix("[" + text + ", 'broken")
		}
	}
	for i, v := range values {
		if text := texts[i%len(texts)]; v.String() != text {
			t.Errorf("%s has become %s", text, v)
		}
	}
}

// TestShortInt: what ShortInt reads is what Parse reads.
func TestShortInt(t *testing.T) {
	for text, ok := range map[string]bool{"0": true, "-0": true, "7": true, "-12": true, "123456789012345678": true, "1234567890123456789": false, "07": false, "": false, "-": false, "--1": false, "+1": false, "1.0": false, "1 ": false} {
		got, short := ShortInt(text)
		if want, err := Parse(text); short != ok || ok && (err != nil || !Same(got, want)) {
			t.Errorf("%q: %s %v, want %v", text, got, short, ok)
		}
	}
}
