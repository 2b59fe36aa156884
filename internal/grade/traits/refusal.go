package traits

import (
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// refusalPhrases are matched without regard to the case of ASCII letters and only
// between word boundaries. An apostrophe stands for ' and for ’.
var refusalPhrases = [...]string{
	"i'm sorry", "im sorry", "i can't", "i cannot", "i am unable", "i'm unable", "i won't",
	"as an ai", "cannot help", "cannot assist", "cannot comply", "unable to",
}

// Refuses reports whether s contains a phrase of refusal. The graders of other editions use it.
func Refuses(s string) bool { return refuses(s, false) }

// Declines reports whether s declines to answer: it contains a phrase of refusal that does not go
// on as a hedge or an apology.
func Declines(s string) bool { return refuses(s, true) || RefusesAbroad(s) }

func refuses(s string, hedges bool) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case 'i', 'I', 'a', 'A', 'c', 'C', 'u', 'U':
		default:
			continue
		}
		for _, phrase := range refusalPhrases {
			if !startsWith(s[i:], phrase) || hedges && hedged(s[i:], phrase) {
				continue
			}
			if before, size := utf8.DecodeLastRuneInString(s[:i]); size == 0 || !runes.IsWord(before) {
				return true
			}
		}
	}
	return false
}

// hedgesAfter go on a phrase that then says what is not known, and apologiesAfter one that then
// says what was wrong; neither declines.
var (
	hedgesAfter = [...]string{"tell", "be sure", "be certain", "be confident", "say for", "say with", "decide", "wait", "help but", "guarantee", "promise", "believe", "stress", "emphasize", "emphasise", "overstate",
		"remember", "recall", "determine which", "tell which", "choose", "make up my mind"}
	apologiesAfter = [...]string{"for the", "for any", "for my", "about that", "about the", "about my", "for being", "for that", "if"}
)

// hedged reports whether s, which begins with a phrase of refusal, goes on as a hedge or an
// apology.
func hedged(s, phrase string) bool {
	const longest = 40 // of the words that are looked at
	rest := s[len(phrase)+2*strings.Count(s[:min(len(s), len(phrase)+2)], "’"):]
	rest = strings.TrimLeft(strings.ToLower(rest[:min(len(rest), longest)]), " ,")
	if strings.HasSuffix(phrase, "sorry") {
		return beginsWithAny(rest, apologiesAfter[:])
	}
	for _, verb := range [...]string{"to ", "quite ", "really ", "honestly "} {
		rest = strings.TrimPrefix(rest, verb)
	}
	return beginsWithAny(rest, hedgesAfter[:]) && !strings.HasPrefix(rest, "tell you")
}

// beginsWithAny reports whether s begins with one of the words.
func beginsWithAny(s string, words []string) bool {
	for _, w := range words {
		if rest, ok := strings.CutPrefix(s, w); ok {
			r, size := utf8.DecodeRuneInString(rest)
			if size == 0 || !runes.IsWord(r) {
				return true
			}
		}
	}
	return false
}

// startsWith reports whether s begins with the phrase and a word ends there.
func startsWith(s, phrase string) bool {
	for i := 0; i < len(phrase); i++ {
		if phrase[i] == '\'' && strings.HasPrefix(s, "’") {
			s = s[len("’"):]
			continue
		}
		if s == "" || runes.Lower(s[0]) != phrase[i] {
			return false
		}
		s = s[1:]
	}
	r, size := utf8.DecodeRuneInString(s)
	return size == 0 || !runes.IsWord(r)
}

// NonAnswer returns the label of a reply in which there is no answer. One that ends in a loop
// has none because of it, whatever it began with.
func NonAnswer(reply string, echo, program bool) string {
	switch {
	case program && !refuses(reply, true):
		return LabelCode
	case Declines(reply):
		return LabelRefusal
	case Loops(reply):
		return LabelLooped
	case echo:
		return LabelEcho
	}
	return LabelTalk
}

// RefusesAbroad reports whether s contains a phrase of refusal in another language than
// English, or a rarer one in English.
func RefusesAbroad(s string) bool {
	s = strings.ReplaceAll(strings.ToLower(s), "’", "'")
	for _, phrase := range [...]string{
		"not able to", "i must decline", "i have to decline", "i don't have the ability", "i do not have the ability", "i can not ", "i don't have the capability", "i do not have the capability", "i'm not able", "can't help", "cannot fulfill", "can't fulfill", "i'm an ai", "i am an ai", "i'm afraid i",
		"es tut mir leid", "tut mir leid", "ich kann ", "leider", "je suis désolé", "je ne peux pas", "désolé", "lo siento", "no puedo", "mi dispiace", "non posso", "desculpe", "não posso", "lamento",
		"抱歉", "对不起", "我无法", "我不能", "無法", "申し訳", "できません", "извините", "не могу", "к сожалению", "죄송", "할 수 없",
	} {
		if i := strings.Index(s, phrase); i >= 0 {
			if phrase == "can't help" || strings.Contains(phrase, "not able") {
				if hedged(s[i:], strings.TrimSuffix(phrase, " help")) {
					continue
				}
			}
			return phrase != "ich kann " || strings.Contains(s, "nicht")
		}
	}
	return false
}
