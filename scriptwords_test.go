package verbatim_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"verbatim/internal/plainwords"
)

// TestTemplatesUsePlainWords holds the words of the page's templates to the vocabulary.
func TestTemplatesUsePlainWords(t *testing.T) {
	for _, path := range found(t, 5, "internal/page/*.gohtml", "internal/page/*.tmpl") {
		for _, part := range templateWords(read(t, path)) {
			for _, fault := range plainwords.Page(part.text) {
				t.Errorf("%s:%d: %q: say %s", path, part.line, fault.Found, fault.Say)
			}
		}
	}
}

// TestScriptsUsePlainWords holds comments, messages and declared names of scripts and of the
// page's program to the vocabulary.
func TestScriptsUsePlainWords(t *testing.T) {
	for _, path := range found(t, 15, "internal/page/*.js", "scripts/*", "scripts/*/*", "training/*/*.py", "bench/run", "bench/clients/*.py", "conformance/*.py", "conformance/*.sh") {
		for _, part := range scriptWords(read(t, path)) {
			faults := plainwords.Comment(part.text)
			if part.message {
				faults = plainwords.Message(part.text)
			}
			if part.name {
				faults = nil
				if fault, ok := plainwords.Name(part.text); ok {
					faults = append(faults, fault)
				}
			}
			for _, fault := range faults {
				if !strings.EqualFold(fault.Found, "else") { // a word of the languages
					t.Errorf("%s:%d: %q: say %s", path, part.line, fault.Found, fault.Say)
				}
			}
		}
	}
}

// TestWordsOfScriptsAreSeen: the parts of the tests above see what they look for.
func TestWordsOfScriptsAreSeen(t *testing.T) {
	template := templateWords("<p class=\"wanted\">{{.Wanted}} is\nwanted</p>\n{{/* tries */}}<div aria-label=\"it stands\"></div>")
	var texts []string
	for _, p := range template {
		texts = append(texts, strings.TrimSpace(p.text))
	}
	if got := strings.Join(texts, "|"); got != "it stands|is wanted" {
		t.Errorf("the template has %q", got)
	}
	script := scriptWords("# the tries\nwanted = 1  // anew\ndef habits(x):\n    print(f\"{x} tries were made\", 'tries')\n    const said = \"no\"\n")
	texts = nil
	for _, p := range script {
		texts = append(texts, strings.TrimSpace(p.text))
	}
	if got := strings.Join(texts, "|"); got != "the tries|anew|wanted|habits|CODE tries were made|said" {
		t.Errorf("the script has %q", got)
	}
}

// found lists the files of some patterns, at least this many.
func found(t *testing.T, least int, patterns ...string) (list []string) {
	t.Helper()
	for _, pattern := range patterns {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no files are named %s: %v", pattern, err)
		}
		for _, path := range files {
			if info, err := os.Stat(path); err == nil && !info.IsDir() && filepath.Ext(path) != ".json" {
				list = append(list, path)
			}
		}
	}
	if len(list) < least {
		t.Fatalf("only %d files were found", len(list))
	}
	return list
}

func read(t *testing.T, path string) string {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// A part is text of a source and the line that it begins in.
type part struct {
	line          int
	text          string
	message, name bool
}

var (
	action    = regexp.MustCompile(`(?s)\{\{.*?\}\}`)
	spoken    = regexp.MustCompile(`(?:aria-label|title|alt|placeholder)="([^"]*)"`)
	tag       = regexp.MustCompile(`(?s)<[^>]*>`)
	comment   = regexp.MustCompile(`(?m)(?:^|\s)(?:#|//)\s+(.*)$`)
	quoted    = regexp.MustCompile(`"([^"\n]* [^"\n]*)"`)
	inBraces  = regexp.MustCompile(`\{[^}]*\}`)
	declaring = regexp.MustCompile(`(?m)^\s*(?:(?:def|class|const|let|var|function)\s+)?([A-Za-z_]\w*)(?:\s*\(.*\):\s*$|\s*=[^=])`)
)

// templateWords returns what a template shows: the attributes that are read out, and the text
// between tags.
func templateWords(source string) (list []part) {
	blank := func(m string) string { return strings.Repeat("\n", strings.Count(m, "\n")) + " " }
	source = action.ReplaceAllStringFunc(source, blank)
	for _, m := range spoken.FindAllStringSubmatchIndex(source, -1) {
		list = append(list, part{line: lineOf(source, m[2]), text: source[m[2]:m[3]]})
	}
	text := tag.ReplaceAllStringFunc(source, func(m string) string { return strings.Repeat("\n", strings.Count(m, "\n")) + "\x00" })
	at := 1
	for piece := range strings.SplitSeq(text, "\x00") {
		if words := strings.Join(strings.Fields(piece), " "); words != "" {
			list = append(list, part{line: at, text: words})
		}
		at += strings.Count(piece, "\n")
	}
	return list
}

// scriptWords returns the comments, the messages of several words and the declared names of
// a program in Python, JavaScript or the shell's language.
func scriptWords(source string) (list []part) {
	n := 0
	for line := range strings.Lines(source) {
		n++
		if m := comment.FindStringSubmatch(line); m != nil {
			list = append(list, part{line: n, text: quotedCode.ReplaceAllString(m[1], "CODE")})
		}
		for _, m := range quoted.FindAllStringSubmatch(line, -1) {
			text := inBraces.ReplaceAllString(quotedCode.ReplaceAllString(m[1], "CODE"), "CODE")
			list = append(list, part{line: n, text: flagName.ReplaceAllString(text, "CODE"), message: true})
		}
		if m := declaring.FindStringSubmatch(line); m != nil {
			list = append(list, part{line: n, text: m[1], name: true})
		}
	}
	return list
}

func lineOf(source string, at int) int { return 1 + strings.Count(source[:at], "\n") }
