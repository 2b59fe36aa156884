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

// refuses reports whether s contains a phrase of refusal.
func Refuses(s string) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case 'i', 'I', 'a', 'A', 'c', 'C', 'u', 'U':
		default:
			continue
		}
		for _, phrase := range refusalPhrases {
			if !startsWith(s[i:], phrase) {
				continue
			}
			if before, size := utf8.DecodeLastRuneInString(s[:i]); size == 0 || !runes.IsWord(before) {
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
	case program && !Refuses(reply):
		return LabelCode
	case Refuses(reply) || RefusesAbroad(reply):
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
	s = strings.ToLower(s)
	for _, phrase := range [...]string{
		"not able to", "i must decline", "i have to decline", "i don't have the ability", "i do not have the ability", "i can not ", "i’m not able", "can't help", "cannot fulfill", "can't fulfill", "i'm an ai", "i am an ai", "i'm afraid i",
		"es tut mir leid", "tut mir leid", "ich kann ", "leider", "je suis désolé", "je ne peux pas", "désolé", "lo siento", "no puedo", "mi dispiace", "non posso", "desculpe", "não posso", "lamento",
		"抱歉", "对不起", "我无法", "我不能", "無法", "申し訳", "できません", "извините", "не могу", "к сожалению", "죄송", "할 수 없",
	} {
		if strings.Contains(s, phrase) {
			return phrase != "ich kann " || strings.Contains(s, "nicht")
		}
	}
	return false
}
