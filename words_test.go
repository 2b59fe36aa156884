package verbatim_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/plainwords"
)

// longestSentence is the most words that a sentence of a page may have. A list of names in code
// counts as one word, and so does a list of links.
const longestSentence = 25

// longestOf are the pages with longer sentences, and why they have them.
var longestOf = []struct {
	pages   []string // patterns
	longest int
	why     string
}{
	{[]string{"docs/decisions/*.md"}, 40, "notes for those who change the program, with all conditions of a decision"},
}

// longestOn returns the most words of a sentence on a page.
func longestOn(page string) int {
	for _, l := range longestOf {
		for _, pattern := range l.pages {
			if ok, err := filepath.Match(pattern, filepath.ToSlash(page)); ok && err == nil {
				return l.longest
			}
		}
	}
	return longestSentence
}

// TestPagesUsePlainWords holds the pages to the project's vocabulary and to sentences
// that can be read in one breath.
func TestPagesUsePlainWords(t *testing.T) {
	pages := pages(t)
	if len(pages) < 15 {
		t.Fatalf("only %d pages were found", len(pages))
	}
	for _, page := range pages {
		source, err := os.ReadFile(page)
		if err != nil {
			t.Fatal(err)
		}
		longest := longestOn(page)
		for _, p := range paragraphs(string(source)) {
			for _, fault := range plainwords.Page(p.text) {
				t.Errorf("%s:%d: %q: say %s", page, p.line, fault.Found, fault.Say)
			}
			for _, s := range sentences(p.text) {
				if n := wordsOf(s); n > longest {
					t.Errorf("%s:%d: a sentence of %d words, at most %d: %.60s…", page, p.line, n, longest, s)
				}
			}
		}
	}
}

// TestPagesShowsFaults: the parts of TestPagesUsePlainWords see what they look for.
func TestPagesShowsFaults(t *testing.T) {
	page := "# Head\n\nIt is so. It goes on,\nhere.\n\n    code beside code\n\n```\nbeside\n```\n\n| a `beside` b | besides |\n"
	got := paragraphs(page)
	if len(got) != 3 || got[0].text != "Head" || got[1].text != "It is so. It goes on, here." || got[1].line != 3 || !strings.Contains(got[2].text, "besides") || strings.Contains(got[2].text, "beside ") {
		t.Errorf("%+v", got)
	}
	for text, want := range map[string]int{
		got[1].text:                         2,
		"One: it goes on; and on: on.":      1,
		"Is it (so?) Yes! **Good.** See.":   4,
		"3.5 s of `a.b` and docs/guide.md.": 1,
		"a | b. c | d: e":                   4,
	} {
		if s := sentences(text); len(s) != want {
			t.Errorf("%q, want %d", s, want)
		}
	}
	for text, want := range map[string]int{"one of code, code, code and code": 3, "code or code, not code": 3, "codes and code": 3, "see [a b](c d), [e](f), [g](h)": 2} {
		if n := wordsOf(text); n != want {
			t.Errorf("%q has %d words, want %d", text, n, want)
		}
	}
	if n := longestOn(filepath.Join("docs", "guide.md")); n != longestSentence {
		t.Errorf("a sentence of the guide may have %d words", n)
	}
}

// pages lists the project's pages.
func pages(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"*.md", filepath.Join("docs", "*.md"), filepath.Join("docs", "decisions", "*.md"), filepath.Join("training", "*", "*.md")} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	return list
}

// A paragraph is text of a page and the line that it begins in.
type paragraph struct {
	line int
	text string
}

// inlineCode matches code within a line of text.
var inlineCode = regexp.MustCompile("`[^`]*`")

// paragraphs returns the text of a Markdown page without its code. Each heading, item of
// a list, quoted line and row of a table is a paragraph of its own.
func paragraphs(page string) (list []paragraph) {
	fenced, open := false, false
	n := 0
	for line := range strings.Lines(page) {
		n++
		indented := strings.HasPrefix(line, "    ") && !open
		text := strings.TrimSpace(line)
		if strings.HasPrefix(text, "```") {
			fenced, open = !fenced, false
			continue
		}
		if text == "" || fenced || indented {
			open = open && text != ""
			continue
		}
		alone := strings.HasPrefix(text, "#") || strings.HasPrefix(text, "|") || strings.HasPrefix(text, ">")
		item := strings.HasPrefix(text, "- ") || regexp.MustCompile(`^\d+\. `).MatchString(text)
		text = inlineCode.ReplaceAllString(strings.TrimLeft(text, "#>- "), "code")
		if open && !alone && !item {
			list[len(list)-1].text += " " + text
		} else {
			list = append(list, paragraph{n, text})
		}
		open = !alone
	}
	return list
}

var (
	// codeList matches names in code with commas or "and" between them.
	codeList = regexp.MustCompile(`code(?:(?:, and |, or |, | and | or )code)+`)
	// linkList matches links with commas between them.
	linkList = regexp.MustCompile(`\[[^]]*\]\([^)]*\)(?:, \[[^]]*\]\([^)]*\))+`)
)

// wordsOf counts the words of a sentence.
func wordsOf(sentence string) int {
	return len(strings.Fields(linkList.ReplaceAllString(codeList.ReplaceAllString(sentence, "code"), "links")))
}

// sentences splits a paragraph at full stops, question marks and exclamation marks. A colon
// and a semicolon end no sentence. Cells of a table are sentences of their own.
func sentences(text string) (list []string) {
	for cell := range strings.SplitSeq(text, "|") {
		list = append(list, regexp.MustCompile(`[.!?]["'”)*_]*\s+`).Split(cell, -1)...)
	}
	return list
}
