// Package plainwords is the list of words that the project does not use, for its tests.
//
// Tests hold pages, the help, messages, comments and declared names to the list. A fault
// names the better word.
package plainwords

import (
	"regexp"
	"strings"
	"sync"
	"unicode"
)

// A Fault is a word that the project does not use, and the one to use.
type Fault struct{ Found, Say string }

// phrases are patterns of prose that the project does not use, with the better words.
// They ignore case and match whole words.
var phrases = [...][2]string{
	{`anew`, "again, new"},
	{`as the system`, "Auto"},
	{`at whatever moment`, "anytime-valid"},
	{`besides?`, "compared with, next to, in addition to"},
	{`cannot be fewer than`, "must be at least"},
	{`despair\w*`, "give up"},
	{`ever more rarely`, "less and less often"},
	{`for ever`, "permanently, endless"},
	{`for who(ever)?`, "for readers who"},
	{`found out`, "measured, determined, tuned"},
	{`half right to`, "50 % horizon"},
	{`hopeless`, "no answer yet"},
	{`how many it lacks`, "the number missing"},
	{`is none`, "is unknown, there is no"},
	{`is told|are told`, "gets, receives"},
	{`makes? no difference`, "equivalent"},
	{`nobody|no one|anybody`, "no user, no caller, none"},
	{`of (the )?(caller's|world's) making`, "usage error, runtime error"},
	{`oftener`, "more often"},
	{`puts? (in )?another way`, "another prompt variant"},
	{`put up with`, "accepted, maximum error rate"},
	{`single answers?`, "sample"},
	{`told apart`, "different, indistinguishable"},
	{`wanted answer`, "expected answer"},
	{`who (watches|asks|reads|sees|types|tries)`, "readers who, the caller"},
	{`whoever`, "the caller, the user"},
}

// messages are patterns that only the help and messages must not have.
var messages = [...][2]string{
	{`keeps? (runs|answers|replies)|kept`, "save, saved"},
	{`try|tries|tried`, "attempt, retry"},
	{`thoughts?|think(s|ing)?`, "reasoning"},
}

// names are declared names that the project does not use, in lower case.
var names = map[string]string{
	"asking": "what it is: a session, a command, a request", "carryout": "execute", "cast": "header", "complain": "printError", "contest": "sequentialTest",
	"errand": "request, testRun", "fates": "outcomes", "house": "harness", "judged": "graded, verdict", "kept": "saved", "mail": "pending", "movein": "newHarness",
	"news": "notify", "said": "text, reply", "scoped": "what it is: a scope", "seal": "finish", "standing": "Progress", "suffer": "runUnderFault",
	"taken": "usageSample, used", "told": "text, known",
}

// parts are words that no declared name has as a part, in lower case.
var parts = map[string]string{
	"beside": "next, compared", "besides": "comparisons", "clothes": "formatting", "complain": "printError", "despair": "giveUp", "discretion": "redactor", "doubts": "warnings",
	"dressed": "formatted", "errand": "request", "fates": "outcomes", "hopeless": "noAnswerYet", "meanings": "stringTable", "oftener": "moreOften", "payload": "extracted",
	"purse": "reservations", "slips": "mistakes", "suffer": "runUnderFault", "thoughts": "reasoning", "whoever": "caller", "wreck": "corruption",
}

// compiled are the patterns of phrases and then those of messages.
var compiled = sync.OnceValue(func() (list []pattern) {
	for _, p := range append(phrases[:], messages[:]...) {
		list = append(list, pattern{regexp.MustCompile(`(?i)\b(?:` + p[0] + `)\b`), p[1]})
	}
	return list
})

type pattern struct {
	*regexp.Regexp
	say string
}

// Prose returns the faults of a text: of a page or a comment.
func Prose(text string) []Fault { return faults(text, compiled()[:len(phrases)]) }

// Message returns the faults of a text that the program prints: of the help or a message.
func Message(text string) []Fault { return faults(text, compiled()) }

// secondThoughts are a term of their own: the marks of a text of reasoning in which it takes
// back or checks what it has.
var secondThoughts = regexp.MustCompile(`(?i)second[ _]?thoughts?`)

func faults(text string, patterns []pattern) (list []Fault) {
	text = secondThoughts.ReplaceAllString(text, "mark")
	for _, p := range patterns {
		if found := p.FindString(text); found != "" {
			list = append(list, Fault{found, p.say})
		}
	}
	return list
}

// Name returns the fault of a declared name or of a file's name; ok is false without one.
func Name(name string) (fault Fault, ok bool) {
	if say, ok := names[strings.ToLower(name)]; ok {
		return Fault{name, say}, true
	}
	for _, word := range words(secondThoughts.ReplaceAllString(name, "Mark")) {
		if say, ok := parts[strings.ToLower(word)]; ok {
			return Fault{word, say}, true
		}
	}
	return Fault{}, false
}

// words splits a name at capital letters, digits and underscores.
func words(name string) []string {
	var list []string
	start := 0
	for i, c := range name {
		if i > start && (unicode.IsUpper(c) || !unicode.IsLetter(c)) {
			list = append(list, name[start:i])
			start = i
		}
		if !unicode.IsLetter(c) {
			start = i + 1
		}
	}
	return append(list, name[min(start, len(name)):])
}
