package pylit

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"verbatim/internal/testmain"
)

func TestParse(t *testing.T) {
	cases := []struct{ text, repr string }{ // no repr: refused
		// Around the literal.
		{" \t[1]", "[1]"}, {"\n\n# c\n\f[1]  # c\n\n \n# c", "[1]"}, {"\n [1]", ""}, {"[1]\n ", ""}, {"[1]\n\f", "[1]"},
		{"[1]\n2", ""}, {"[1];", ""}, {"[1]\x00", ""}, {"[1] # \x00", ""}, {"\ufeff[1]", ""}, {"\u00a0[1]", ""}, {"[1]\x0b", ""},
		{"", ""}, {" ", ""}, {"\n", ""}, {"# c", ""}, {"[1]\r\n", "[1]"}, {"\r[1,\r2]", "[1, 2]"}, {"\\\n[1]", "[1]"}, {"\\\n [1]", ""},
		{"\n \\\n[1]", ""}, {"\n \\\n\f[1]", ""}, {"[1]\\\n", ""}, {"[1] \\\n ", "[1]"}, {"[1]\n\\\n", ""},
		// Containers.
		{"[]", "[]"}, {"[1, 2,]", "[1, 2]"}, {"[,]", ""}, {"[1,,2]", ""}, {"[1 2]", ""}, {"[1", ""}, {"]", ""}, {"[1)", ""},
		{"1, 2", "(1, 2)"}, {"1,", "(1,)"}, {"()", "()"}, {"(1)", "1"}, {"(1,)", "(1,)"}, {"(,)", ""}, {"1,)", ""}, {"(1\n,\n2)", "(1, 2)"},
		{"[1], [2]", "([1], [2])"}, {"[1],", "([1],)"}, {"{}", "{}"}, {"{1, True, 1.0, 2}", "{1, 2}"}, {"{,}", ""},
		{"{1: 'a', True: 'b', 2: 'c',}", "{1: 'b', 2: 'c'}"}, {"{1: 2, 3}", ""}, {"{1, 2: 3}", ""}, {"{[1]}", ""}, {"{(1, [2]): 3}", ""}, {"{1: [2]}", "{1: [2]}"},
		{strings.Repeat("[", 200) + strings.Repeat("]", 200), strings.Repeat("[", 200) + strings.Repeat("]", 200)},
		{strings.Repeat("(", 201) + "1" + strings.Repeat(")", 201), ""},
		// Names and operators.
		{"[True, False, None, ...]", "[True, False, None, Ellipsis]"}, {"true", ""}, {"nan", ""}, {"[x for x in range(10) if x % 2 == 0]", ""},
		{"input()", ""}, {"[1][0]", ""}, {"1+2", ""}, {"~1", ""}, {"not 1", ""}, {"*[1]", ""}, {"lambda: 1", ""}, {"....5", ""}, {"..", ""},
		// Numbers.
		{"[1_0, 1., .5, 1e5, 0x_Ff, 0o17, 0b1_1, 2J, 00, 007.5, 0_0]", "[10, 1.0, 0.5, 100000.0, 255, 15, 3, 2j, 0, 7.5, 0]"},
		{"007", ""}, {"1__0", ""}, {"1_", ""}, {"1e", ""}, {"12abc", ""}, {"0x", ""}, {"0b2", ""}, {"1._5", ""}, {"1if", ""},
		{"[-1, +-+1, - -1.5, -True, -1j, -0.0, -(2)]", "[-1, -1, 1.5, -1, (-0-1j), -0.0, -2]"}, {"-'a'", ""}, {"-[1]", ""}, {"-...", ""},
		{"-9223372036854775808", "-9223372036854775808"}, {"9223372036854775808", "9223372036854775808"}, {"--9223372036854775808", "9223372036854775808"}, {"-(-9223372036854775808)", "9223372036854775808"},
		{strings.Repeat("9", 4300), strings.Repeat("9", 4300)}, {strings.Repeat("9", 4301), ""}, {strings.Repeat("0", 5000), "0"},
		{"[1e999, -1e999, 1e-999, 5e-324, 2.5e-324, 1e16, 123456789012345680.0, 1e-4, 0.00001]", "[inf, -inf, 0.0, 5e-324, 5e-324, 1e+16, 1.2345678901234568e+17, 0.0001, 1e-05]"},
		{"9007199254740993.0", "9007199254740992.0"}, {"9007199254740993.00000000000000000000000001", "9007199254740994.0"},
		// Strings.
		{`['a' "b"  'c', u'd' R'\e']`, `['abc', 'd\\e']`}, {"'a' b'b'", ""}, {"f'a'", ""}, {"ur'a'", ""}, {"'a", ""}, {"'a\nb'", ""}, {"'''a\n'b'''", `"a\n'b"`},
		{`'\n\t\r\a\b\f\v\\\'\"\101\x41\u00e9\U0001F600\q\8'`, `'\n\t\r\x07\x08\x0c\x0b\\\'"AAé😀\\q\\8'`}, {"'a\\\nb'", "'ab'"}, {"'a\\\r\nb'", "'ab'"},
		{`'\x4'`, ""}, {`'\U00110000'`, ""}, {`'\N{DOT}'`, ""}, {`'\boxed'`, `'\x08oxed'`}, {`b'\N\u1234\400\xff'`, `b'\\N\\u1234\x00\xff'`}, {"b'é'", ""}, {`rb'\x'`, `b'\\x'`},
		{`'\ud800'`, `'\ud800'`}, {`'\ud83d\ude00'`, `'\ud83d\ude00'`}, {"'\xed\xa0\x80'", ""}, {"'\xff'", ""}, {"''", "''"}, {"''''''", "''"}, {"''''", ""}, {"'' ''", "''"},
	}
	for _, c := range cases {
		v, err := Parse(c.text)
		switch {
		case c.repr == "" && err == nil:
			t.Errorf("Parse(%.60q) = %.60s, want an error", c.text, v)
		case c.repr != "" && err != nil:
			t.Errorf("Parse(%.60q): %v", c.text, err)
		case c.repr != "" && v.String() != c.repr:
			t.Errorf("Parse(%.60q) = %.60s, want %.60s", c.text, v, c.repr)
		}
	}
}

func TestSyntaxError(t *testing.T) {
	_, err := Parse("  [1, 2 3]")
	if want := "not a Python literal: neither a comma nor the closing bracket at byte 8"; err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	for text, want := range map[string]int{"[1,\r\n\r\n2] x": 10, "[1,\r\r2] x": 8, "\t[1] x": 5, "[\r\n1] # \r\nx": 10, "[1] \r\n\r\n x": 9, "x\r\n": 1} {
		if _, err := new(Parser).Parse(text); err == nil || err.Offset != want {
			t.Errorf("%q: %v, want byte %d", text, err, want)
		}
	}
}

func TestPrefix(t *testing.T) {
	cases := []struct {
		text, repr string
		n          int // 0: none
	}{
		{"[1, 2] and more", "[1, 2]", 6}, {"[1, 2], 3", "[1, 2]", 6}, {"  [1,\r\n2]\r\n]", "[1, 2]", 9}, {"'a' b", "", 0}, {"'a', b", "'a'", 3},
		{"-1.5.", "-1.5", 4}, {"-1.5x", "", 0}, {"-1.5 .", "-1.5", 4}, {"[1] # \x00", "[1]", 3}, {"['\xff'] x", "", 0}, {"[1, 2", "", 0}, {"", "", 0}, {"x [1]", "", 0}, {"(1)(2)", "1", 3},
	}
	for _, c := range cases {
		v, n, ok := new(Parser).Prefix(c.text)
		if ok != (c.n > 0) || n != c.n || ok && v.String() != c.repr {
			t.Errorf("%q starts with %s, %d bytes, %v; want %s, %d", c.text, v, n, ok, c.repr, c.n)
		}
	}
}

// TestSeen checks what SyntaxError.Seen promises: that any text with the same start
// is refused.
func TestSeen(t *testing.T) {
	g := &generator{rand.New(rand.NewPCG(4, 0))}
	checked := 0
	for range 20_000 {
		text := g.text()
		_, err := new(Parser).Parse(text)
		if err == nil || err.Seen > len(text) {
			continue
		}
		checked++
		for range 5 {
			other := text[:err.Seen] + g.pick(scraps) + g.pick(odd) + g.pick(tails)
			if v, err2 := Parse(other); err2 == nil {
				t.Fatalf("%q is refused by its first %d bytes, but %q is %s", text, err.Seen, other, v)
			}
		}
	}
	if checked < 2000 {
		t.Errorf("only %d texts were refused by their start", checked)
	}
}

// TestSeenWithReturns: a text with carriage returns is refused by its start as well.
func TestSeenWithReturns(t *testing.T) {
	for _, text := range []string{"['a', 'b\r\nc', ", "[1, 2,\r\n3 4, ", "[1\r2, "} {
		text += strings.Repeat("'x',\r\n", 1000)
		_, err := new(Parser).Parse(text)
		if err == nil || err.Seen > 40 {
			t.Errorf("%.20q: %+v, want an error that has seen at most 40 bytes", text, err)
		}
	}
}

// TestParserReuse reads one text after the other with one Parser.
func TestParserReuse(t *testing.T) {
	g := &generator{rand.New(rand.NewPCG(5, 0))}
	p := new(Parser)
	for range 20_000 {
		text := g.text()
		fresh, want := Parse(text)
		again, err := p.Parse(text)
		if (err == nil) != (want == nil) || err == nil && !strings.EqualFold(again.String(), fresh.String()) {
			t.Fatalf("%q: %v %v, want %v %v", text, again, err, fresh, want)
		}
		if p.Comments() && !strings.Contains(text, "#") {
			t.Fatalf("%q has no comment", text)
		}
	}
}

func TestComments(t *testing.T) {
	p := new(Parser)
	for text, want := range map[string]bool{"[1]": false, "['#']": false, "[1] # c": true, "[1, # c\n2]": true, "# c\n[1]": true} {
		if _, err := p.Parse(text); err != nil || p.Comments() != want {
			t.Errorf("%q: comments %v, %v", text, p.Comments(), err)
		}
	}
}

// FuzzParse: no text makes Parse panic, and what it reads prints as it reads.
func FuzzParse(f *testing.F) {
	g := &generator{rand.New(rand.NewPCG(6, 0))}
	for range 200 {
		f.Add(g.text())
	}
	for _, text := range odd {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		v, err := new(Parser).Parse(text)
		if err != nil {
			if err.Seen <= len(text) {
				if _, err2 := Parse(text[:err.Seen] + "]')\"}"); err2 == nil {
					t.Fatalf("%q is not refused by its first %d bytes", text, err.Seen)
				}
			}
			return
		}
		printed := v.String()
		if strings.Contains(printed, "inf") || strings.Contains(printed, "j") || strings.Contains(printed, "Ellipsis") || printsTooLong(v) {
			return // printed as a name, as an expression or not by Python at all
		}
		again, bad := Parse(printed)
		if bad != nil {
			t.Fatalf("%q prints as %q: %v", text, printed, bad)
		}
		if !Same(v, again) || again.String() != printed {
			t.Fatalf("%q prints as %q, which reads as %q", text, printed, again)
		}
	})
}

func TestMain(m *testing.M) { testmain.Main(m) }

func TestCast(t *testing.T) {
	cases := []struct {
		text string
		kind Kind
		repr string // none: refused
	}{
		{"1.9", Int, "1"}, {"-1.9", Int, "-1"}, {"True", Int, "1"}, {"' 12_3\\n'", Int, "123"}, {"'+7'", Int, "7"}, {"'-007'", Int, "-7"}, {"'٣'", Int, "3"}, {"'\\u20031\\u00a0'", Int, "1"},
		{"1e23", Int, "99999999999999991611392"}, {"b' 5 '", Int, "5"}, {"'1.0'", Int, ""}, {"''", Int, ""}, {"'1__0'", Int, ""}, {"'_1'", Int, ""}, {"'0x1'", Int, ""}, {"'\\x1c1'", Int, ""},
		{"None", Int, ""}, {"[1]", Int, ""}, {"1j", Int, ""}, {"1e999", Int, ""}, {"'" + strings.Repeat("0", 4301) + "'", Int, ""}, {"'--1'", Int, ""}, {"'1 2'", Int, ""},
		{"3", Float, "3.0"}, {"False", Float, "0.0"}, {"' 1_0.5e1_0 '", Float, "105000000000.0"}, {"'nan'", Float, "nan"}, {"'-INFINITY'", Float, "-inf"}, {"'1e400'", Float, "inf"},
		{"'.5'", Float, "0.5"}, {"'5.'", Float, "5.0"}, {"'1٣.٥'", Float, "13.5"}, {"'.'", Float, ""}, {"'1e'", Float, ""}, {"'0x1p3'", Float, ""}, {"'1._5'", Float, ""}, {"'infinit'", Float, ""},
		{"1" + strings.Repeat("0", 400), Float, ""}, {"9007199254740993", Float, "9007199254740992.0"}, {"b'1.5'", Float, "1.5"}, {"[]", Float, ""}, {"'7.573581057628l50e-05'", Float, ""},
		{"1", Str, "'1'"}, {"1.0", Str, "'1.0'"}, {"True", Str, "'True'"}, {"None", Str, "'None'"}, {"['a', 1]", Str, `"['a', 1]"`}, {"('a',)", Str, `"('a',)"`}, {"b'a'", Str, `"b'a'"`},
		{"0x" + strings.Repeat("f", 5000), Str, ""}, {"[0x" + strings.Repeat("f", 5000) + "]", Str, ""}, {"{}", Str, "'{}'"}, {"-1j", Str, "'(-0-1j)'"},
		{"0", Bool, "False"}, {"''", Bool, "False"}, {"'0'", Bool, "True"}, {"[]", Bool, "False"}, {"{1}", Bool, "True"}, {"None", Bool, "False"}, {"0x" + strings.Repeat("f", 50), Bool, "True"}, {"0.0", Bool, "False"},
		{"'aé'", List, "['a', 'é']"}, {"(1, 2)", List, "[1, 2]"}, {"{1: 2}", List, "[1]"}, {"b'ab'", List, "[97, 98]"}, {"1", List, ""}, {"None", None, "None"}, {"1", None, ""},
	}
	for _, c := range cases {
		v, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Cast(v, c.kind)
		if ok != (c.repr != "") || ok && got.String() != c.repr {
			t.Errorf("%s(%.40s) = %.60s %v, want %.60s", c.kind, c.text, got, ok, c.repr)
		}
		if ok && got.Kind() != c.kind {
			t.Errorf("%s(%.40s) is a %s", c.kind, c.text, got.Kind())
		}
	}
	if v, ok := Cast(MakeFloat(math.NaN()), Int); ok {
		t.Errorf("int(nan) = %s", v)
	}
}

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
