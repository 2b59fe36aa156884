package pylit

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
)

// A generator writes texts that are literals or nearly literals.
type generator struct{ r *rand.Rand }

// text returns a literal, spoiled more often than not.
func (g *generator) text() string {
	s := g.pick(leads) + g.value(0) + g.pick(tails)
	if g.r.IntN(3) == 0 {
		s = g.pick(odd)
	}
	for g.r.IntN(5) < 3 {
		s = g.mutate(s)
	}
	return s
}

func (g *generator) pick(list []string) string { return list[g.r.IntN(len(list))] }

var (
	leads = []string{"", "", "", "", "", " ", "\n", "# c\n", "\\\n", "\f", "\t\n", " \\\n", "\r\n", "'a',", "\n \\\n", "\n \\\n\f", "-", "1, "}
	tails = []string{"", "", "", "", "", " ", "\n", " # c", "\n# c\n", "\\\n", ",", ",\n", "\n ", "\r", "\n\f", "\n\\\n", "\n \n", "  \\\n ", "\x00"}
	// odd texts are rare forms of the grammar.
	odd = []string{
		"[1, 2,]", "[,]", "[1,,2]", "[1 2]", "()", "(,)", "(1,)", "(1)", "{}", "{,}", "{1:2,}", "{1,}", "{1:2,3}", "{1,2:3}",
		"{[1]}", "{(1,[2])}", "{1:[2]}", "{1, True, 1.0, 1j, 0j, 0, -0.0}", "{1: 'a', 1.0: 'b', True: 'c'}", "{2**1}", "{10**2: 1}",
		"{100000000000000000000000: 1, 1e23: 2, 99999999999999991611392: 3, 1e23: 4}", "{'a': 1, b'a': 2, 'a': 3}", "{(1, 2), (1.0, True), (1, 2)}",
		"007", "00", "0_0", "00_0", "0_7", "1__0", "1_", "1e", "1e+", "1e5_", "1_0e1_0", "12abc", "1if", "0x", "0x_f", "0xg", "0b12", "0o8", "0o_7_7", "0B1",
		"1.", ".5", "1.e5", "1._5", "1_.5", "....5", "...", "..", ".", "1...", "[...,]", "1.real", "007.5", "007e1", "007j", "1_0j", "1.5J", "-1j", "+1j", "--1j", "1e999", "-1e999j",
		"-True", "+False", "-(1)", "-[1]", "-'a'", "- -1", "-+-1", "~1", "not 1", "1+2", "1+2j", "-...", "-None", "+(-(+(1)))",
		"''", "''''''", `""""""`, "'' ''", "''''", "'a' 'b'", "'a' b'b'", "b'a' b'b'", "'a'\n'b'", "('a'\n'b')", "'a' f'b'", "u'a'", "U'a' R'\\b'", "ur'a'", "bR'\\x'", "Rb'a'", "f'a'", "F''", "rb 'a'",
		`'\x41\u00e9\U0001f600\101\7\400\777\0008'`, `'\x4'`, `'\u12'`, `'\U00110000'`, `'\8\q\ '`, `'\N'`, `b'\N\u1234\400\x41'`, `b'\xg'`, "b'é'", `'\ud800'`, `'\ud83d\ude00'`, "'\\\n'", "r'\\\n'", "'\\", "'a\nb'", "'''a\nb'''", "'''a''''", "'''a\\'''", `r'\'`, `r'\''`, `"\""`, "'\t\x01\x7f\u00a0\u2028é\u0378'",
		"[1, # c\n2]", "[1 # c]", "[\n1\n]", "[1\\\n]", "[1\\ \n]", "1 \\\n", "1\n\n# c\n", "1\n2", "1;", "\x0b1", "\u00a01", "1\u3000", "\ufeff1", "٣", "ａ", "True", "true", "None", "nan", "inf", "x", "lambda: 1", "[x for x in y]", "f(1)", "a.b", "[1][0]", "*[1]", "[*[1]]", "{**{}}", "(a:=1)", "1 if 1 else 2", "1 == 1", "'a' % 1", "print", "__debug__",
		"[[[[1], 2], 3], 4]", "((((1))))", "(1, (2, (3,)))", "{1: {2: {3: 4}}}", "([1, 2])", "('a', 'b')", "[1], [2]", "[1],", "1,2,", "1,\n", "(1\n,2)", "'a\\\r\nb'", "'a\r\nb'", "'''a\rb'''", "\r1\r", "[1,\r2]", "\\\r\n1", "1 #\r2",
	}
	// scraps are what mutations insert.
	scraps = []string{"'", `"`, "[", "]", "(", ")", "{", "}", ",", ", ", ":", "\\", "\n", "\r", " ", "\t", "\f", "#", "-", "+", ".", "_", "0", "1", "7", "e", "j", "x", "b", "r", "u", "f", "N", "\\x", "\\u00", "\\0", "é", "\u00a0", "…", "’", "\x00", "\ufeff", "...", "'''", `"""`, "1e", "0x", "True", "None", "*", "=", "if", "or", "\\\n", "𝟙", "\x1c"}
)

// mutate changes one place of s.
func (g *generator) mutate(s string) string {
	r := []rune(s)
	i := g.r.IntN(len(r) + 1)
	j := min(len(r), i+1+g.r.IntN(3))
	switch g.r.IntN(5) {
	case 0:
		return string(r[:i]) + string(r[j:])
	case 1:
		return string(r[:i]) + g.pick(scraps) + string(r[j:])
	case 2:
		return string(r[:j]) + string(r[i:])
	case 3:
		return string(r[:i])
	}
	return string(r[:i]) + g.pick(scraps) + string(r[i:])
}

// value returns a literal.
func (g *generator) value(depth int) string {
	if depth > 4 {
		return g.leaf()
	}
	switch g.r.IntN(12) {
	case 0, 1, 2:
		return g.items(depth, "[", "]", "")
	case 3:
		return g.items(depth, "(", ")", "")
	case 4:
		return g.items(depth, "{", "}", "")
	case 5:
		return g.items(depth, "{", "}", ": ")
	case 6:
		deep := g.r.IntN(8)
		if g.r.IntN(20) == 0 {
			deep = 195 - depth + g.r.IntN(8)
		}
		return strings.Repeat("[", deep) + g.leaf() + strings.Repeat("]", deep)
	case 7:
		signs := g.r.IntN(4)
		if g.r.IntN(200) == 0 {
			signs = 900 + g.r.IntN(1900)
		}
		return strings.Repeat(g.pick([]string{"-", "+", "- ", "-+"}), signs) + g.value(depth+1)
	}
	return g.leaf()
}

func (g *generator) items(depth int, open, close, colon string) string {
	var b strings.Builder
	b.WriteString(open)
	n := g.r.IntN(5)
	for i := range n {
		if i > 0 {
			b.WriteString(g.pick([]string{", ", ", ", ",", "\n,", " , ", ",#c\n", ",\\\n"}))
		}
		b.WriteString(g.value(depth + 1))
		if colon != "" {
			b.WriteString(colon + g.value(depth+1))
		}
	}
	if n > 0 && g.r.IntN(4) == 0 {
		b.WriteString(",")
	}
	return b.String() + close
}

func (g *generator) leaf() string {
	switch g.r.IntN(10) {
	case 0:
		return g.pick([]string{"True", "False", "None", "..."})
	case 1, 2, 3:
		return g.quoted()
	case 4, 5:
		return fmt.Sprint(g.r.Int64() >> g.r.IntN(64))
	case 6:
		return g.float()
	case 7:
		return g.digits()
	}
	return fmt.Sprint(g.r.IntN(1000))
}

// float returns a number that is hard to round now and then.
func (g *generator) float() string {
	switch g.r.IntN(4) {
	case 0:
		f := math.Float64frombits(g.r.Uint64())
		if f != f || math.IsInf(f, 0) {
			f = 5e-324
		}
		return strings.TrimPrefix(Format(f), "-")
	case 1:
		return fmt.Sprintf("%d.%de%d", g.r.IntN(100), g.r.Uint64(), g.r.IntN(700)-350)
	case 2: // halfway between two float64
		f := math.Float64frombits(g.r.Uint64() >> 2)
		s := fmt.Sprintf("%.*e", 17+g.r.IntN(20), f)
		return s
	}
	return fmt.Sprint(g.r.Float64() * 1000)
}

// digits returns a number in one of its other spellings.
func (g *generator) digits() string {
	n := 1 + g.r.IntN(12)
	if g.r.IntN(50) == 0 {
		n = 4290 + g.r.IntN(20)
	}
	alphabet := g.pick([]string{"0123456789", "01234567_", "01_", "0123456789abcdefABCDEF_", "0"})
	var b strings.Builder
	b.WriteString(g.pick([]string{"", "", "", "0x", "0X", "0o", "0b", "0", "."}))
	for range n {
		b.WriteByte(alphabet[g.r.IntN(len(alphabet))])
	}
	b.WriteString(g.pick([]string{"", "", "", "", "j", ".", "e5", "E-3", ".5", "_", "L"}))
	return b.String()
}

func (g *generator) quoted() string {
	quote := g.pick([]string{"'", "'", "'", `"`, "'''", `"""`})
	var b strings.Builder
	b.WriteString(g.pick([]string{"", "", "", "", "", "", "b", "r", "u", "Rb", "bR", "f"}) + quote)
	for range g.r.IntN(8) {
		switch g.r.IntN(8) {
		case 0:
			b.WriteString(`\` + g.pick([]string{"n", "t", "'", `"`, `\`, "x4", "x41", "u00e9", "U0001F600", "7", "101", "400", "N{FULL STOP}", "q", "b", "\n", "0", "ud800"}))
		case 1:
			b.WriteString(g.pick(scraps))
		default:
			b.WriteRune(rune('a' + g.r.IntN(26)))
		}
	}
	return b.String() + quote + g.pick([]string{"", "", "", "", " 'z'", `"z"`})
}

// numeral returns a string that int() or float() may take.
func (g *generator) numeral() string {
	var b strings.Builder
	for range g.r.IntN(6) {
		b.WriteString(g.pick([]string{"1", "2", "0", "9", "_", "+", "-", " ", ".", "e", "٣", "５", "𝟙", "\u00a0", "\u2003", "\x1c", "\x85", "\n", "nan", "inf", "Infinity", "1e400", "٫", "a", "²", "\u200b"}))
	}
	return b.String()
}

// castable returns a value whose casts Python may refuse.
func (g *generator) castable() string {
	switch g.r.IntN(4) {
	case 0:
		return g.value(1)
	case 1:
		return "[" + g.value(1) + "]"
	case 2:
		return "b" + Format(strings.Map(func(r rune) rune { return min(r, 'z') }, g.numeral()))
	}
	return Format(g.numeral())
}
