package extract

import (
	"regexp"
	"strings"
)

// IsProgram reports whether a reply without an answer contains a program.
func IsProgram(reply string) bool {
	reply = Head(reply, 4000)
	for at := 0; ; {
		i := strings.Index(reply[at:], "```")
		if i < 0 {
			return isCode(withoutNames(reply))
		}
		at += i + 3
		if language, inside, ok := strings.Cut(reply[at:], "\n"); ok && isLanguage(language) && !isLiteral(inside) {
			return true
		}
	}
}

// inProse matches the name of a function in a sentence that goes on with a word in lower case.
var inProse = regexp.MustCompile("(`?)[A-Za-z_][A-Za-z_.0-9]*\\(\\)`?( [a-z]{3,}[ ,.])")

// withoutNames removes the names of functions in sentences and between backticks, such as `sorted()`: a
// sentence that names one is not a program.
func withoutNames(reply string) string {
	if !strings.Contains(reply, "()") {
		return reply
	}
	reply = inProse.ReplaceAllString(reply, "$2")
	pieces := strings.Split(reply, "`")
	for i := 1; i+1 < len(pieces); i += 2 {
		if name, ok := strings.CutSuffix(pieces[i], "()"); ok && !hasSign(name) {
			pieces[i] = ""
		}
	}
	return strings.Join(pieces, "`")
}

// isLiteral reports whether a text, up to the end of its fence, is a value, not a program.
func isLiteral(text string) bool {
	inside, _, _ := strings.Cut(text, "```")
	inside = strings.TrimSpace(inside)
	return inside != "" && strings.IndexByte("[({\"'", inside[0]) >= 0
}

// isLanguage reports whether t, the rest of the line that opens a fence, names a programming language.
func isLanguage(t string) bool {
	switch strings.ToLower(strings.TrimSpace(t)) {
	case "python", "python3", "py", "javascript", "js", "jsx", "node", "typescript", "ts", "tsx", "java", "kotlin", "scala", "go", "golang", "rust", "rs", "c", "cpp", "c++", "csharp", "cs", "c#",
		"ruby", "rb", "php", "perl", "lua", "swift", "r", "haskell", "bash", "sh", "shell", "zsh", "powershell", "sql":
		return true
	}
	return false
}

// hasCodeLines reports whether lines are those of a program: one ends in a brace or a semicolon, or is Code.
func hasCodeLines(t string) bool {
	for line := range strings.SplitSeq(t, "\n") {
		if line = strings.TrimSpace(line); line != "" && strings.ContainsAny(line[len(line)-1:], "{};") {
			return true
		}
	}
	return isCode(t)
}

// isCode reports whether a line or a block is part of a program.
func isCode(t string) bool {
	t = Head(t, 2000)
	if !hasSign(t) && !strings.Contains(t, "import sys") {
		return false
	}
	calls := strings.Contains(t, "[::-1]") || strings.IndexByte(t, '(') >= 0
	for line := range strings.SplitSeq(t, "\n") {
		line = strings.TrimSpace(line)
		if line == "" {
			continue
		}
		if strings.HasPrefix(line, "for ") && strings.Contains(line, " in ") && strings.HasSuffix(line, ":") && hasSign(line) {
			return true
		}
		if strings.IndexByte("deipcfv#>Ssr", line[0]) >= 0 {
			for _, p := range [...]string{"def ", "echo ", "import ", "print(", "console.log", "function ", "const ", "var ", "#include", "if __name__", ">>> ", "System.out", "fmt.Print", "std::", "return "} {
				if strings.HasPrefix(line, p) && hasSign(line) || line == "import sys" {
					return true
				}
			}
		}
		if !calls {
			continue
		}
		for _, p := range [...]string{"[::-1]", ".reverse()", "reversed(", "sorted(", ".sort(", ".join(", ".split("} {
			if strings.Contains(line, p) {
				return true
			}
		}
	}
	return false
}

// hasSign reports whether a text has one of the signs that are common in programs.
func hasSign(t string) bool { return strings.ContainsAny(t, "(=[{\"'<;") }

// outsideCode removes what is between backticks in a line: a sentence that quotes code is not a program.
func outsideCode(line string) string {
	if strings.Count(line, "`") < 2 {
		return line
	}
	var b strings.Builder
	for i, piece := range strings.Split(line, "`") {
		if i%2 == 0 {
			b.WriteString(piece)
		}
	}
	return b.String()
}
