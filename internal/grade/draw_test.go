package grade

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"unicode"
	"unicode/utf8"
)

// alphabets are what texts are drawn from; short ones make runs, repetitions and
// palindromes common.
var alphabets = [][]rune{
	[]rune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"),
	[]rune("ab"),
	[]rune("abAB01Oo"),
	[]rune("0123456789"),
	[]rune("aé ñ-–'’\"“”\u00a0\u2009"),
	[]rune("äöüßẞÄÖÜſsSkK\u212aİıΣσς"),
	[]rune("e\u0301éa\u0308äﬁffiⅨ①²"),
	[]rune("日本語中文кириллицаελληνικά"),
	[]rune("😀👨\u200d👩🏽é\u200b\ufeff\u00ad"),
	[]rune("a b\tc\nd\u2028\x1c\x85e"),
	[]rune(`a\n"'&<>;lt#x41u0`),
	[]rune("Ã©â€™Â\u0081\u00ad"),
}

func drawText(r *rand.Rand, n int) []rune {
	alphabet := alphabets[0]
	if r.IntN(3) > 0 {
		alphabet = alphabets[r.IntN(len(alphabets))]
	}
	out := make([]rune, n)
	for i := range out {
		out[i] = alphabet[r.IntN(len(alphabet))]
	}
	return out
}

func drawCase(r *rand.Rand) classified {
	s := drawText(r, r.IntN(40))
	c := classified{}
	e := s
	if r.IntN(2) == 0 {
		e = reversedRunes(s)
		source := string(s)
		c.Source = &source
	}
	g := append([]rune(nil), e...)
	for range 1 + r.IntN(3) {
		g = spoil(r, e, s, g)
	}
	c.E, c.G = string(e), string(g)
	return c
}

// spoil does one of many things to g, a reply to the wanted text e made from s.
func spoil(r *rand.Rand, e, s, g []rune) []rune {
	text := string(g)
	n := len(g)
	i := r.IntN(n + 1)
	j := i + r.IntN(n-i+1)
	k := j + r.IntN(n-j+1)
	cat := func(parts ...[]rune) (out []rune) {
		for _, p := range parts {
			out = append(out, p...)
		}
		return out
	}
	switch r.IntN(34) {
	case 0, 1:
		return cat(g[:i], g[min(i+1, n):])
	case 2:
		return cat(g[:i], g[j:])
	case 3:
		return cat(g[:i], drawText(r, 1), g[i:])
	case 4:
		return cat(g[:i], drawText(r, r.IntN(6)), g[i:])
	case 5:
		return cat(g[:j], g[i:j], g[j:])
	case 6, 7:
		if i+1 < n {
			return cat(g[:i], g[i+1:i+2], g[i:i+1], g[i+2:])
		}
	case 8, 9:
		if i < n {
			return cat(g[:i], drawText(r, 1), g[i+1:])
		}
	case 10:
		return cat(g[:i], g[j:k], g[i:j], g[k:])
	case 11:
		var pieces []rune
		for rest := s; len(rest) > 0; {
			m := min(len(rest), 1+r.IntN(5))
			pieces = cat(rest[:m], pieces)
			rest = rest[m:]
		}
		return pieces
	case 12:
		var pieces []rune
		for rest := s; len(rest) > 0; {
			m := min(len(rest), 2+r.IntN(4))
			pieces = cat(pieces, reversedRunes(rest[:m]))
			rest = rest[m:]
		}
		return pieces
	case 13:
		return s
	case 14:
		return drawText(r, n)
	case 15:
		r.Shuffle(n, func(a, b int) { g[a], g[b] = g[b], g[a] })
	case 16:
		q := quotes[r.IntN(len(quotes))]
		return []rune(q[0] + text + q[1])
	case 17:
		return []rune([]string{"```\n%s\n```", "```text\n%s```", "```%s```"}[r.IntN(3)])
	case 18:
		return []rune(fmt.Sprintf([]string{"The answer is: %s", "%s\nDone.", "Sure! \"%s\" it is.", "=%s=", "a%s", "%s\n\n%[1]s"}[r.IntN(6)], text))
	case 19:
		return cat(g[:i], [][]rune{{' '}, {'\n'}, {0x200b}, {0xa0}, {0x1c}, {0xad}}[r.IntN(6)], g[i:])
	case 20:
		return []rune(strings.ToUpper(text))
	case 21:
		return []rune(strings.ToLower(text))
	case 22:
		for range 1 + r.IntN(3) {
			if i := r.IntN(n + 1); i < n {
				if u := unicode.ToUpper(g[i]); u != g[i] {
					g[i] = u
				} else {
					g[i] = unicode.ToLower(g[i])
				}
			}
		}
	case 23:
		return []rune(strings.NewReplacer("<", "&lt;", "&", "&amp;", "é", "&eacute;", "a", "&#97;", "'", "&#x27;").Replace(text))
	case 24:
		return []rune(strings.NewReplacer(`"`, `\"`, "'", `\'`, "a", `\a`, "_", `\_`, "\n", `\n`).Replace(text))
	case 25:
		return []rune(strings.NewReplacer("é", `\u00e9`, "a", `\x61`, "b", `\142`, "\n", `\n`, "\t", `\t`, "日", `\u65e5`).Replace(text))
	case 26:
		return []rune(strings.NewReplacer("é", "e\u0301", "ä", "a\u0308", "fi", "ﬁ", "-", "–", "'", "’", "²", "2").Replace(text))
	case 27:
		var b strings.Builder
		for _, c := range []byte(text) {
			b.WriteRune([]rune("€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ")[max(0, min(31, int(c)-128))])
			if c < 0x80 || c >= 0xa0 {
				s := b.String()
				_, size := utf8.DecodeLastRuneInString(s)
				b.Reset()
				b.WriteString(s[:len(s)-size])
				b.WriteRune(rune(c))
			}
		}
		return []rune(b.String())
	case 28:
		for a := range g {
			for _, set := range lookalikes {
				if x := []rune(set); r.IntN(4) == 0 && strings.ContainsRune(set, g[a]) {
					g[a] = x[r.IntN(len(x))]
				}
			}
		}
	case 29:
		return []rune("I'm sorry, I can't reverse " + text[:len(text)/2])
	case 30:
		return cat(g, []rune(strings.Repeat(string(g[max(0, n-1-r.IntN(70)):]), 1+r.IntN(30))))
	case 31:
		return []rune("<think>" + string(s) + "</think>" + text)
	case 32:
		return cat(g[:i], []rune{0xfffd}, g[j:])
	case 33:
		return nil
	}
	return g
}

func drawAlnum(r *rand.Rand, n int) string {
	out := make([]rune, n)
	for i := range out {
		out[i] = alphabets[0][r.IntN(len(alphabets[0]))]
	}
	return string(out)
}
