package obedient

import (
	"regexp"
	"strconv"
	"strings"

	"verbatim"
)

// obey returns the answer that a prompt demands. ok is false for an open prompt. Demands of the
// system prompt come first.
func (m *Model) obey(p verbatim.Prompt) (answer string, ok bool) {
	for _, role := range []string{"system", "user"} {
		var text strings.Builder
		for _, message := range p {
			if message.Role == role {
				for _, part := range message.Content {
					text.WriteString(part.Text)
				}
			}
		}
		if answer, ok = m.demanded(text.String()); ok {
			return answer, true
		}
	}
	return "", false
}

// A demand is a form of prompts with one answer, which follows from the matches of words.
type demand struct {
	words  *regexp.Regexp
	answer func(m []string) string
}

// demands returns the known forms, the most specific first.
func demands() []demand {
	first := func(m []string) string { return m[1] }
	return []demand{
		{regexp.MustCompile(`(?s)The secret code is (\d+)\..*What is the secret code\?`), first},
		{regexp.MustCompile(`(?s)What is the secret code\?`), func([]string) string { return "unknown" }},
		{regexp.MustCompile(`reply with the single word (\S+) and nothing else`), first},
		{regexp.MustCompile(`(?i)reply with the single word (\w+)`), first},
		{regexp.MustCompile(`Count from (\d+) to (\d+)\.`), count},
		{regexp.MustCompile(`(?s)Copy (?:this|the) \w+ exactly\. Write nothing else\.\n\n(.*)\z`), first},
		{regexp.MustCompile(`What is (\d+) \+ (\d+)\?`), func(m []string) string {
			a, _ := strconv.Atoi(m[1])
			b, _ := strconv.Atoi(m[2])
			return strconv.Itoa(a + b)
		}},
	}
}

// demanded returns the answer that a text demands.
func (m *Model) demanded(text string) (string, bool) {
	for _, d := range m.demands {
		if found := d.words.FindStringSubmatch(text); found != nil {
			return d.answer(found), true
		}
	}
	return "", false
}

// count returns the numbers from m[1] to m[2], 10,000 at most.
func count(m []string) string {
	from, _ := strconv.Atoi(m[1])
	to, _ := strconv.Atoi(m[2])
	var b strings.Builder
	for i := from; i <= to && i < from+10_000; i++ {
		if i > from {
			b.WriteByte(' ')
		}
		b.WriteString(strconv.Itoa(i))
	}
	return b.String()
}
