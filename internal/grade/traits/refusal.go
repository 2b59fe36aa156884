package traits

import (
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim/internal/grade/runes"
)

// refusalPhrases are matched without regard to the case of ASCII letters and only
// between word boundaries. An apostrophe matches ' and ’.
var refusalPhrases = [...]string{
	"i'm sorry", "im sorry", "i can't", "i cannot", "i am unable", "i'm unable", "i won't",
	"as an ai", "cannot help", "cannot assist", "cannot comply", "unable to",
}

// Refuses reports whether s contains a phrase of refusal in English, as the specification in Python does.
func Refuses(s string) bool { return refuses(s, func(_, _ string) bool { return false }) }

// Declines reports whether s declines to answer: it contains a phrase of refusal, in any language, that
// does not go on as a hedge or an apology.
func Declines(s string) bool { return refuses(s, hedged) || RefusesAbroad(s) }

// refuses reports whether s contains one of refusalPhrases. It does not count if except holds for the rest
// of s from the phrase on.
func refuses(s string, except func(rest, phrase string) bool) bool {
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case 'i', 'I', 'a', 'A', 'c', 'C', 'u', 'U':
		default:
			continue
		}
		for _, phrase := range refusalPhrases {
			if !startsWith(s[i:], phrase) || except(s[i:], phrase) {
				continue
			}
			if before, size := utf8.DecodeLastRuneInString(s[:i]); size == 0 || !runes.IsWord(before) {
				return true
			}
		}
	}
	return false
}

// A phrase of refusal does not decline if one of these follows it: with hedgesAfter it says what is not
// known, and with apologiesAfter what was wrong.
var (
	hedgesAfter = [...]string{"tell", "be sure", "be certain", "be confident", "say for", "say with", "decide", "wait", "help but", "guarantee", "promise", "believe", "stress", "emphasize", "emphasise", "overstate",
		"remember", "recall", "determine which", "tell which", "choose", "make up my mind", "guess", "see", "find",
		"sagen", "beurteilen", "erkennen", "entscheiden", "garantieren", "dire", "savoir", "deviner", "decir", "saber", "asegurar", "dizer", "garantir", "dire con certezza", "сказать", "гарантировать", "确定", "保证", "判断"}
	apologiesAfter = [...]string{"for the", "for any", "for my", "about that", "about the", "about my", "for being", "for that", "if", "i misread", "i misunderstood", "i made", "i missed", "i got", "but i can't see", "but i cannot see", "but i don't see", "but i didn't", "but it seems", "but there is no", "but you"}
)

// willing reports whether a phrase says what the model will not do or must not do, not what it cannot do.
func willing(phrase string) bool {
	switch phrase {
	case "not going to", "i will not", "and won't", "not allowed to", "not permitted to":
		return true
	}
	return false
}

// promises reports whether the sentence that continues with s promises to add nothing else, as the
// question demands.
func promises(s string) bool {
	sentence := s
	if i := strings.IndexAny(s, ".!?\n"); i >= 0 {
		sentence = s[:i]
	}
	for _, more := range [...]string{"else", "other", "additional", "further", "more"} {
		if i := strings.Index(sentence, " "+more); i >= 0 && beginsWithAny(sentence[i+1:], []string{more}) {
			return true
		}
	}
	return false
}

// writings are the verbs for what a model does with text.
var writings = [...]string{"add", "display", "give", "include", "output", "print", "produce", "provide", "say", "show", "write"}

// negated reports whether words that follow an introduction such as "I am an AI" deny something.
func negated(s string) bool {
	negations := [...]string{"not", "n't", "n’t", "unable", "never", " no ", "without"}
	return slices.ContainsFunc(negations[:], func(no string) bool { return strings.Contains(s, no) })
}

// changesAfter are the verbs for what a model says it will not do to an answer.
var changesAfter = [...]string{"add", "change", "alter", "modify", "include", "use", "explain", "need", "delete", "remove", "touch", "edit", "replace", "omit", "leave", "keep", "be", "work", "have", "make"}

// rarePhrases are rarer phrases of refusal, and those of other languages. The two parts of one of
// splitPhrases are in the same sentence, with words between them.
var (
	rarePhrases = [...]string{
		"not able to", "i must decline", "i have to decline", "i decline", "i refuse", "i must refuse", "i have to refuse", "i don't have the ability", "i do not have the ability", "i can not ", "i don't have the capability", "i do not have the capability", "i'm not able", "can't help", "cannot fulfill", "can't fulfill", "i'm an ai", "i am an ai", "i'm afraid i",
		"rather not", "prefer not to", "not something i can", "not something that i can", "not something i'm", "not something i am", "not something i do", "outside of what i", "outside what i", "outside my", "outside the scope", "beyond my", "beyond what i can", "beyond the scope of what i", "not allowed to", "not permitted to", "not authorized to", "not authorised to", "do not permit me", "don't permit me", "doesn't allow me", "does not allow me", "don't allow me", "do not allow me", "prevent me from", "prevents me from", "against my", "against the rules i", "violates my", "violate my", "not comfortable", "not here to", "not what i'm here", "not what i am here", "not going to", "i will not", "i'll have to pass", "i'll pass on", "i have to pass", "sorry, no", "no can do", "not designed to", "not programmed to", "not equipped to", "not capable of", "not in a position to", "not possible for me", "that is not possible", "that's not possible", "this is not possible", "is not possible in", "it is not possible", "it's not possible", "instructed not to", "lack the ability", "isn't something i", "sorry, but no", "not one i can", "no way to", "cannot be fulfilled", "cannot be completed", "cannot be processed", "beyond me", "i don't do", "i do not do", "i don't process", "i do not process", "i don't reverse", "i do not repeat", "i don't repeat", "we can't", "we cannot", "we're unable", "and won't",
		"es tut mir leid", "tut mir leid", "leider", "darf ich nicht", "ich darf nicht", "kann ich nicht", "kann ich dir nicht", "kann ich ihnen nicht", "mache ich nicht", "möchte ich nicht", "werde ich nicht", "ich weigere mich", "nicht erlaubt", "nicht gestattet", "lieber nicht", "nicht in der lage", "nicht möglich", "ich lehne",
		"je suis désolé", "je ne peux pas", "je ne peux ", "désolé", "pas en mesure", "je refuse", "ne suis pas capable", "pas autorisé", "m'est impossible", "ne m'est pas possible", "je ne suis pas en", "je regrette", "préfère ne pas", "préférerais ne pas", "pas possible pour moi",
		"lo siento", "no puedo", "no lo puedo", "no me es posible", "no soy capaz", "no estoy en condiciones", "me niego", "no está permitido", "no me está permitido", "no estoy autorizad", "no podemos", "me resulta imposible", "prefiero no", "preferiría no", "lo lamento",
		"desculpe", "não posso", "lamento", "não consigo", "não sou capaz", "recuso", "não me é possível", "não tenho permissão", "sinto muito", "não é possível", "prefiro não", "infelizmente",
		"mi dispiace", "non posso", "non lo posso", "non sono in grado", "mi rifiuto", "non mi è possibile", "non riesco", "non sono autorizzat", "non è possibile", "spiacente", "preferisco non", "purtroppo",
		"kan ik niet", "ik kan niet", "ik kan dit niet", "ik kan dat niet", "ik kan je niet", "helaas", "het spijt me", "niet in staat", "nie mogę", "niestety", "przykro mi", "tyvärr", "valitettavasti", "en voi auttaa", "en pysty", "jag kan inte", "jeg kan ikke", "desværre", "yapamam", "edemem", "üzgünüm",
		"beklager", "undskyld", "ursäkta", "anteeksi", "nemohu", "bohužel", "omlouvám se", "sajnálom", "sajnos", "nem tudok", "nu pot ", "îmi pare rău", "din păcate", "nažalost", "ne mogu ", "maalesef",
		"không thể", "xin lỗi", "rất tiếc", "maaf", "tidak dapat", "tidak bisa", "ขออภัย", "ขอโทษ", "ไม่สามารถ", "δεν μπορώ", "λυπάμαι", "δυστυχώς", "לא יכול", "מצטער", "לצערי", "দুঃখিত", "متأسف", "متاسفم",
		"抱歉", "对不起", "對不起", "我无法", "我不能", "我没有办法", "我没办法", "我沒有辦法", "我不可以", "我拒绝", "无法完成", "无法处理", "无法帮助", "无法提供", "無法", "恕我", "恕不", "不便",
		"申し訳", "できません", "できかねます", "いたしかねます", "お断り", "対応していません", "죄송", "수 없습니다", "수 없어요", "할 수 없", "거절", "불가능합니다",
		"извините", "не могу", "не буду", "к сожалению", "не имею возможности", "отказываюсь", "не в состоянии", "простите", "не можу", "на жаль", "вибачте", "لا أستطيع", "لا يمكنني", "عذرا", "آسف", "नहीं कर सकता", "क्षमा करें",
		"не мога", "нямам възможност", "за съжаление", "съжалявам", "nemôžem", "nemôžeme", "žiaľ", "ľutujem", "yardımcı olamam", "olamam", "olamıyorum", "veremiyorum", "veremem", "yapamıyorum", "hesaplayamam", "sağlayamam", "mümkün değil", "ne yazık ki", "negaliu", "deja,", "atsiprašau", "nevaru", "diemžēl", "kahjuks", "ma ei saa", "žal ", "ne možem", "žao mi je", "не могу да", "жао ми је", "em sap greu", "no puc", "malauradament", "করতে পারব না", "পারছি না", "नहीं कर पाऊ", "नहीं कर सक", "نمی\u200cتوانم", "نمیتوانم", "איני יכול", "אין באפשרותי", "ne morem",
	}
	splitPhrases = [...][2]string{{"ich kann ", "nicht"}, {"ik kan ", "niet"}, {"je ne ", " pas vous aider"}, {"我", "帮不了"}, {"我", "做不到"}, {"i must", "decline"}, {"i have to", "decline"}, {"i need to", "decline"}, {"i'll", "decline"}}
)

// hedged reports whether s, which begins with a phrase of refusal, goes on as a hedge or an
// apology.
func hedged(s, phrase string) bool {
	rest := s[len(phrase)+2*strings.Count(s[:min(len(s), len(phrase)+2)], "’"):]
	further := strings.ToLower(rest[:min(len(rest), 5*longestHedge)])
	rest = strings.TrimLeft(strings.ToLower(rest[:min(len(rest), longestHedge)]), " ,")
	if strings.HasSuffix(phrase, "sorry") {
		return beginsWithAny(strings.TrimPrefix(rest, "but "), apologiesAfter[:]) || asksAfter(s)
	}
	if phrase == "as an ai" && !negated(further) {
		return true
	}
	verb, what, _ := strings.Cut(strings.TrimPrefix(rest, "to "), " ")
	if slices.Contains(writings[:], verb) && strings.HasPrefix(what, "any") && promises(" "+what) {
		return true
	}
	if strings.HasSuffix(phrase, "won't") && (beginsWithAny(rest, changesAfter[:]) || promises(rest)) {
		return true
	}
	return hedges(rest, fillers[:englishFillers])
}

// longestHedge is the number of bytes behind a phrase of refusal that are read for a hedge.
const longestHedge = 40

// fillers may be between a phrase of refusal and a hedge. The first ones are English.
var fillers = [...]string{"to ", "quite ", "really ", "honestly ", "genau ", "sicher ", "vraiment "}

const englishFillers = 4

// hedges reports whether s begins with one of hedgesAfter, behind fillers.
func hedges(s string, fillers []string) bool {
	for _, filler := range fillers {
		s = strings.TrimPrefix(s, filler)
	}
	return beginsWithAny(s, hedgesAfter[:]) && !strings.HasPrefix(s, "tell you")
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

// NonAnswer returns the label of a reply without an answer. echo reports whether it gives the input or the
// question back, program whether it writes a program. A reply that ends in a loop is looped, whatever it
// begins with.
func NonAnswer(reply string, echo func() bool, program bool) string {
	switch {
	case program && !refuses(reply, hedged):
		return LabelCode
	case Declines(reply):
		return LabelRefusal
	case Loops(reply):
		return LabelLooped
	case echo():
		return LabelEcho
	}
	return LabelTalk
}

// RefusesAbroad reports whether s contains a phrase of refusal in another language than
// English, or a rarer one in English, and does not go on as a hedge or an apology.
func RefusesAbroad(s string) bool {
	const most = 1 << 14 // bytes at either end of a long reply
	s = strings.ReplaceAll(strings.ToLower(s), "’", "'")
	if len(s) > 2*most {
		s = s[:most] + "\n" + s[len(s)-most:]
	}
	for i := 0; i+1 < len(s); i++ {
		if i > 0 && isLetter(s[i-1]) && isLetter(s[i]) {
			continue // inside a word
		}
		for _, phrase := range rareAt[pairOf(s[i], s[i+1])] {
			if rest, ok := strings.CutPrefix(s[i:], phrase); ok && refusesWith(phrase, rest) {
				return true
			}
		}
	}
	for _, pair := range splitPhrases {
		if i := strings.Index(s, pair[0]); i >= 0 {
			sentence, _, _ := strings.Cut(s[i:], ".")
			if _, rest, ok := strings.Cut(sentence, pair[1]); ok && !hedgedAfter(rest) {
				return true
			}
		}
	}
	return false
}

// refusesWith reports whether a rare phrase of refusal declines, given the text behind it.
func refusesWith(phrase, rest string) bool {
	switch {
	case hedgedAfter(rest), asksAfter(rest):
		return false
	case willing(phrase):
		return !beginsWithAny(strings.TrimLeft(rest, " "), changesAfter[:]) && !promises(rest)
	case strings.HasSuffix(phrase, " an ai"):
		return negated(rest[:min(len(rest), 200)])
	}
	return true
}

// rareAt has the rarePhrases by a hash of their first two bytes.
var rareAt = func() (table [1 << 10][]string) {
	for _, phrase := range rarePhrases {
		i := pairOf(phrase[0], phrase[1])
		table[i] = append(table[i], phrase)
	}
	return table
}()

func isLetter(c byte) bool { return 'a' <= c && c <= 'z' }

func pairOf(a, b byte) int { return (int(a)<<5 ^ int(b)) & (1<<10 - 1) }

// asksAfter reports whether the sentence that continues with s is a question: then it apologizes for not
// having understood.
func asksAfter(s string) bool {
	i := strings.IndexAny(s, ".!?\n。？")
	return i >= 0 && (s[i] == '?' || strings.HasPrefix(s[i:], "？"))
}

// hedgedAfter reports whether s goes on as a hedge.
func hedgedAfter(s string) bool {
	return hedges(strings.TrimLeft(s[:min(len(s), longestHedge)], " ,"), fillers[:])
}
