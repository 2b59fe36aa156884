package table

import (
	"strings"
	"testing"

	"verbatim/internal/terminal"
)

func TestMarkdownText(t *testing.T) {
	for in, want := range map[string]string{
		"dropped_char 3":               "dropped_char 3",
		"reverse@1/len=16/seed=1/7":    "reverse@1/len=16/seed=1/7",
		"![x](http://evil.example/p)":  `!\[x\](http&#58;//evil.example/p)`,
		"<img src=x onerror=alert(1)>": "&lt;img src=x onerror=alert(1)&gt;",
		"https://evil.example":         "https&#58;//evil.example",
		"WWW.evil.example":             "WWW&#46;evil.example",
		"ping @team, a@b":              "ping `@`team, a@b",
		"me@evil.example, a@1.5.":      "me`@`evil.example, a`@`1.5.",
		"a@b., c@ d.x, e@":             "a@b., c@ d.x, e@",
		"a|b `c` *d* _e_ ~~f~~ $g$":    "a\\|b \\`c\\` \\*d\\* \\_e_ \\~\\~f\\~\\~ \\$g\\$",
		"&lt; \\":                      `&amp;lt; \\`,
	} {
		if got := MarkdownText(in); got != want {
			t.Errorf("MarkdownText(%q) = %q, want %q", in, got, want)
		}
	}
}

// FuzzMarkdownText: no character that begins markup, HTML, a column or an address is
// left without an escape.
func FuzzMarkdownText(f *testing.F) {
	for _, s := range []string{"", "![](http://x)", "<a>", "a|b", "`", "@x", "www.x", "\n# x"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		out := MarkdownText(terminal.Visible(s))
		bare := strings.ReplaceAll(out, "`@`", "")
		for i := 0; i < len(bare); i++ {
			switch c := bare[i]; {
			case c == '\\':
				i++
			case strings.IndexByte("`*[]|~$<>\n", c) >= 0:
				t.Fatalf("%q became %q, with a bare %q", s, out, c)
			}
		}
		if low := strings.ToLower(out); strings.Contains(low, "://") || strings.Contains(low, "www.") {
			t.Fatalf("%q became %q, which is a link", s, out)
		}
	})
}
