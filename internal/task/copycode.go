package task

import (
	"math/rand/v2"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// copyCode asks for lines of a program with what editors tidy up: tabs next to spaces, spaces at the
// ends of lines, blank lines, odd names, and words with typing errors.
func copyCode() verbatim.Family {
	return verbatim.Family{
		Name: "copy-code", Version: 1, Doc: "copy code with its tabs, trailing spaces and typing errors",
		About: "Tabs are next to spaces, lines end in white space, and words are misspelt. An edit tool that tidies any of it fails to find what it is to replace. Tidied white space is labelled whitespace.",
		Unit:  "lines", Min: 2, Max: 10_000, DefaultLengths: []int{4, 8, 16, 32, 64},
		Wordings: copyCodeWordings(),
		Item: func(r *rand.Rand, k verbatim.Parameters) (verbatim.Item, error) {
			n := drawLength(r, k.Length)
			text := codeLines(r, n)
			return newItem("copy-code", k, n, copyCodeWordings()[0], verbatim.Inputs{"code": "```\n" + text + "\n```"}, verbatim.TextAnswer(text), verbatim.TextAnswer(text)), nil
		},
	}
}

// codeLines draws n lines: a function, its statements, and its last brace.
func codeLines(r *rand.Rand, n int) string {
	lines := []string{"func " + identifier(r) + "(" + identifier(r) + ", " + identifier(r) + " int) error {"}
	for len(lines) < n-1 {
		indent := []string{"\t", "\t\t", "    ", "  \t", "\t  "}[r.IntN(5)]
		line := indent + statement(r)
		switch r.IntN(6) {
		case 0:
			line += strings.Repeat(" ", 1+r.IntN(3))
		case 1:
			line += "\t"
		case 2:
			if line = ""; strings.TrimSpace(lines[len(lines)-1]) == "" {
				line = indent + "// " + misspelt(r)
			}
		}
		lines = append(lines, line)
	}
	return strings.Join(append(lines, "}"), "\n")
}

// statement draws a line of code without its indentation.
func statement(r *rand.Rand) string {
	a, b := identifier(r), identifier(r)
	return []string{
		a + " := " + b + "[" + strconv.Itoa(r.IntN(100)) + ":] // " + misspelt(r),
		"if " + a + " != nil && " + b + " >= 0x" + strconv.FormatInt(r.Int64N(1<<24), 16) + " {",
		a + "." + b + "(\"" + draw.String(r, draw.Alphanumeric, 6) + "\\t\", '" + draw.String(r, draw.Letters, 1) + "')",
		"for " + a + " = " + strconv.Itoa(r.IntN(9)) + "; " + a + " <" + strings.Repeat(" ", r.IntN(2)) + b + "; " + a + "++ {",
		"return fmt.Errorf(\"" + misspelt(r) + " %q: %w\", " + a + ", " + b + ")",
	}[r.IntN(5)]
}

// identifier draws a name with characters that are easily confused: l and 1, O and 0.
func identifier(r *rand.Rand) string {
	return draw.String(r, "abcdeiloxyIO", 1) + draw.String(r, "ablI1O0_xYz", 2+r.IntN(6))
}

// misspelt draws a word with two of its letters exchanged.
func misspelt(r *rand.Rand) string {
	words := draw.MildWords()
	for {
		word := []byte(words.Draw(r))
		if len(word) < 5 {
			continue
		}
		i := 1 + r.IntN(len(word)-2)
		if word[i] != word[i+1] {
			word[i], word[i+1] = word[i+1], word[i]
			return string(word)
		}
	}
}

func copyCodeWordings() []verbatim.Wording {
	return []verbatim.Wording{
		{Text: "Copy the code between the two fences exactly: every tab, every space, also those at the ends of lines, and every typing error. Only output the code, without the fences and without any other text.\n\n{code}"},
		{Text: "Reproduce the code inside the code block below byte by byte. Do not tidy, mend or reformat anything. Your answer must be the code alone, without a code block around it.\n\n{code}"},
		{Text: "Here is a piece of code:\n\n{code}\n\nWrite what is between the fences once more, exactly as it stands, white space and mistakes included. Answer with the code only, without fences."},
		{Text: "What is inside the fences below? Give it back character for character, with its own white space, and add nothing, not even the fences.\n\n{code}"},
	}
}
