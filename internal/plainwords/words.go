// Package plainwords is the list of words that the project does not use, for its tests.
//
// Tests hold pages, the help, messages, comments and declared names to the list. A fault
// names the better word.
package plainwords

import (
	"regexp"
	"slices"
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

// texts are patterns that pages, the help and messages must not have.
var texts = [...][2]string{
	{`carr(y|ies|ied) out`, "do, run, execute"},
	{`dressed`, "formatted, wrapped"},
	{`else`, "otherwise, other"},
	{`half right`, "50 % horizon"},
	{`in another way`, "otherwise, differently"},
	{`is judged|are judged|judges`, "graded, decided"},
	{`it lacks`, "is missing"},
	{`left alone`, "by default"},
	{`of it`, "its, or the noun"},
	{`on the bill`, "billed"},
	{`payloads?`, "extracted, body"},
	{`purse`, "reservations"},
	{`set aside`, "reserved"},
	{`stands?`, "is, means"},
	{`that of`, "the noun again"},
	{`thinking|thoughts?`, "reasoning"},
	{`tries`, "attempts, retries"},
	{`wanted`, "expected, requested, needed"},
}

// messages are patterns that only the help and messages must not have.
var messages = [...][2]string{
	{`keeps? (runs|answers|replies)|kept`, "save, saved"},
	{`try|tries|tried`, "attempt, retry"},
	{`thinks?`, "reasons, reasoning"},
}

// names are declared names that the project does not use, in lower case.
var names = map[string]string{
	"asking": "what it is: a session, a command, a request", "carryout": "execute", "cast": "header", "complain": "printError", "contest": "sequentialTest",
	"dress": "format", "errand": "request, testRun", "fate": "outcome", "fates": "outcomes", "habit": "usage", "habits": "usage, UsageStats", "house": "harness",
	"judged": "graded, verdict", "kept": "saved", "mail": "pending", "movein": "newHarness", "news": "notify", "on": "metric", "ons": "Metrics", "parseon": "ParseMetric",
	"said": "text, reply", "scoped": "what it is: a scope", "seal": "finish", "standing": "Progress", "strict": "exact",
	"suffer": "runUnderFault",
	"taken":  "usageSample, used", "thinking": "reasoning", "told": "text, known", "tries": "attempts", "wanted": "expected, requested, needed",
}

// parts are words that no declared name has as a part, in lower case.
var parts = map[string]string{
	"beside": "next, compared", "besides": "comparisons", "clothes": "formatting", "complain": "printError", "despair": "giveUp", "discretion": "redactor", "doubts": "warnings",
	"dressed": "formatted", "errand": "request", "fates": "outcomes", "hopeless": "noAnswerYet", "meanings": "stringTable", "oftener": "moreOften", "payload": "extracted",
	"purse": "reservations", "slips": "mistakes", "suffer": "runUnderFault", "thoughts": "reasoning", "whoever": "caller", "wreck": "corruption",
}

// compiled are the patterns of phrases, then those of texts, then those of messages.
var compiled = sync.OnceValue(func() (list []pattern) {
	for _, p := range slices.Concat(phrases[:], texts[:], messages[:]) {
		list = append(list, pattern{regexp.MustCompile(`(?i)\b(?:` + p[0] + `)\b`), p[1]})
	}
	return list
})

type pattern struct {
	*regexp.Regexp
	say string
}

// Comment returns the faults of a comment.
func Comment(text string) []Fault { return faults(text, compiled()[:len(phrases)]) }

// Page returns the faults of a text of a page.
func Page(text string) []Fault { return faults(text, compiled()[:len(phrases)+len(texts)]) }

// Message returns the faults of a text that the program prints: of the help or a message.
func Message(text string) []Fault { return faults(text, compiled()) }

// allowed are right terms with a word of the list: the marks of second thoughts in reasoning, "else"
// after a pronoun, parts and wholes ("most of it"), and the meaning of a symbol ("stands for").
var allowed = regexp.MustCompile(`(?i)second[ _]?thoughts?|\b((any|every|some|no)(thing|where|one)|all|what) else\b|\b(all|any|half|halves|most|none|out) of it\b|\bstands? for\b`)

// anywhere matches a text that one of the patterns matches. Most texts match none, and one pattern
// takes much less time than all.
var anywhere = sync.OnceValue(func() *regexp.Regexp {
	var all []string
	for _, p := range slices.Concat(phrases[:], texts[:], messages[:]) {
		all = append(all, p[0])
	}
	return regexp.MustCompile(`(?i)\b(?:` + strings.Join(all, "|") + `)\b`)
})

// faults returns the faults of a text by some of the patterns.
func faults(text string, patterns []pattern) (list []Fault) {
	if !anywhere().MatchString(text) {
		return nil
	}
	text = allowed.ReplaceAllString(text, "mark")
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
	for _, word := range words(allowed.ReplaceAllString(name, "Mark")) {
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
