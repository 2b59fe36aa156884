package extract

import "testing"

// TestNormal: one space between words, lower case, plain apostrophes, and no marks of Markdown.
func TestNormal(t *testing.T) {
	for text, want := range map[string]string{
		"": "", " \t\n": "", "*_`#\"": "",
		"  The **Answer**\t is:\n": "the answer is:",
		"a * b":                    "a b", "\x00a\x1cb\v": "\x00a b",
		"“É” İS\u00a0\u200b it’s ‘x’ ": "é is it's 'x'",
		"\xffA\xff": "\ufffda\ufffd", "答案 是": "答案 是",
	} {
		if got := NormalText(text); got != want {
			t.Errorf("Normal(%q) is %q, want %q", text, got, want)
		}
	}
}

// TestColon: the first colon of either kind.
func TestColon(t *testing.T) {
	for text, want := range map[string][2]int{"": {}, "ab": {}, "a: b": {1, 2}, "答案：3:": {6, 9}, "：": {0, 3}} {
		if at, end := findColon(text); [2]int{at, end} != want {
			t.Errorf("Colon(%q) is %d, %d, want %v", text, at, end, want)
		}
	}
}
