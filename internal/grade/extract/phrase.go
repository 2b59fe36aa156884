package extract

import (
	"slices"
	"strings"
)

// The words that give values their roles, in lower case, in the languages of chat models.
const (
	finals phraseSet = 1 << iota
	answersSure
	furtherAnswers
	inputSubjects
	inputs
	earlier
	links
	producing
	pronouns
	conditions
	havings
	omissions
	reasonWords
	firstPersons
	textNouns
	characterNouns
	numberNouns
	timesWords
	answerNouns
	inputEnds
	inputAfter
	answerAfter
	sortedWords
	negations
	exclusions
	harmless
	deniedAfter
	butWords
	orWords
	alternatives
	examples
	aboutAnswers
	withdrawals
	wrongs
	talkPhrases
	listAnswers
	listExamples
	qualifierStarts
	justAnswer
	clauseStarts
	speakers

	answers = answersSure | furtherAnswers
)

// The sets that are looked for inside a text, at its start and at its end.
const (
	insideSets = finals | answers | inputSubjects | inputs | earlier | conditions | omissions | textNouns | characterNouns | numberNouns |
		negations | exclusions | harmless | alternatives | examples | wrongs | talkPhrases | listAnswers | justAnswer | speakers
	startSets = reasonWords | firstPersons | timesWords | inputAfter | answerAfter | sortedWords | deniedAfter | orWords | aboutAnswers | withdrawals | listExamples
	endSets   = finals | links | producing | pronouns | havings | characterNouns | numberNouns | answerNouns | inputEnds | butWords | orWords | qualifierStarts | clauseStarts
)

var (
	endMarks = []string{"<|im_end|>", "</s>", "<|eot_id|>", "<|endoftext|>", "<|end|>", "<end_of_turn>", "<|return|>"}

	// interjections begin a line that goes on with an answer.
	interjections = []string{"sure", "yes", "ok", "okay", "alright", "certainly", "of course", "absolutely", "great", "sure thing", "no problem", "done", "here you go", "got it", "claro", "natürlich", "bien sûr", "gerne"}

	// adverbs stand between a link and an answer; openers alone before it.
	adverbs = []string{"a", "an", "the", "always", "therefore", "thus", "then", "hence", "simply", "indeed", "exactly", "also", "daher", "somit", "folglich", "donc", "alors", "ainsi", "entonces", "quindi", "portanto", "dus", "de", "di"}
	openers = []string{"so", "therefore", "thus", "hence", "also", "daher", "somit", "donc", "ainsi", "así", "entonces", "quindi", "portanto", "dus", "итак", "значит"}

	// appositions begin what is said about a value that begins a sentence.
	appositions = []string{" – ", " — ", " (", " ← ", " <- ", " <-- ", " <= "}

	stopWords = []string{"done", "answer", "result", "output", "sure", "certainly", "okay", "ok", "yes", "no", "here", "note", "explanation", "hello", "thanks", "string", "reversed", "correct", "incorrect", "below", "follows", "wrong", "right", "it", "this", "that", "unknown", "ready", "complete", "impossible", "simple", "solution", "final", "sorted", "above", "again", "you", "them", "itself", "backwards", "everything", "following", "true", "false", "none", "null", "undefined", "python", "text", "steps", "reasoning", "understood", "absolutely", "great", "unclear", "different", "same", "order", "palindrome", "as", "original", "input", "antwort", "ergebnis", "fertig", "réponse", "respuesta"}
)

var phraseLists = [...]phraseList{
	{finals, []string{"final answer", "final result", "final sum", "final output", "final sorted list", "final list", "final number", "final value", "final string", "final reversed string", "endgültige antwort",
		"réponse finale", "respuesta final", "risposta finale", "resposta final", "最终答案", "最終的な答え", "итоговый ответ", "окончательный ответ"}},
	// answersSure name an answer whatever else is said; answers name it before a link.
	{answersSure, []string{"answer", "result", "reversed string", "reversed version", "reversed text", "reverse of", "reversal of", "sorted version", "sorted list", "sum of", "in reverse", "backwards", "reversed", "sorted", "output", "copy of", "copied", "exactly", "verbatim", "unchanged"}},
	{furtherAnswers, []string{"answers", "results", "solution", "reverse", "reversal", "backward", "ordered", "ascending", "in order", "sum", "total",
		"copy", "repeated", "repetition", "exact string", "exact text", "conclusion", "mirrored", "rearranged", "altogether", "right to left", "back to front",
		"antwort", "ergebnis", "lösung", "umgekehrt", "umgekehrte", "umgekehrten", "rückwärts", "sortiert", "sortierte", "summe", "ausgabe",
		"réponse", "résultat", "inversée", "inversé", "à l'envers", "triée", "somme",
		"respuesta", "resultado", "invertida", "invertido", "al revés", "ordenada", "suma",
		"risposta", "risultato", "invertita", "al contrario", "ordinata", "somma", "resposta", "soma", "antwoord", "resultaat", "som", "gesorteerde", "omgekeerde",
		"答案", "结果", "反转", "倒序", "总和", "排序", "答え", "結果", "合計", "逆順", "逆", "ответ", "результат", "сумма", "наоборот", "отсортированный", "정답", "결과", "합"}},
	{inputSubjects, []string{"original", "originally", "input", "unsorted", "initial", "provided", "you gave", "you asked", "ursprüngliche", "originale", "entrada", "原文", "输入", "原始", "入力", "исходный", "исходная", "исходная строка"}},
	{inputs, []string{"given", "source", "starting", "start with", "prompt", "eingabe", "gegeben", "entrée",
		"first number", "second number", "first addend", "second addend", "number 1", "number 2", "example", "carry", "carry over", "count", "length", "characters", "digits", "character", "items", "elements", "units", "tens", "hundreds", "ones", "thousands", "column", "place"}},
	// earlier words say that a value is one from before the answer.
	{earlier, []string{"before", "to be reversed", "to be sorted", "to reverse", "to sort", "want to", "asked to", "instead of", "rather than", "previous", "previously", "earlier attempt", "wrong", "incorrect", "mistaken", "thought", "first attempt", "common mistake"}},
	{links, []string{":", "：", "=", "→", "➡", "➜", "⇒", "⟶", "->", "=>", "—", "–", " -", "≈",
		"is", "was", "are", "be", "becomes", "become", "gives", "give", "gives us", "get", "yields", "equals", "equal to", "giving", "yielding", "results in", "resulting in", "turns into", "produces", "returns", "as", "it's", "that's", "makes", "totals", "comes to", "reads", "adds up to", "add up to", "appears", "occurs", "spells", "found at", "located at", "holds", "end up with", "ends up as", "come up with", "came up with", "arrive at",
		"ist", "lautet", "ergibt", "sind", "beträgt", "befindet sich an", "est", "sont", "donne", "es", "son", "è", "sono", "dà", "é", "são", "dá", "是", "为", "為", "は", "すると", "равна", "равен", "это", "будет", "은", "는"}},
	// producing are the links that only a result follows.
	{producing, []string{"gives", "gives us", "gives you", "giving", "yields", "yielding", "produces", "returns", "results in", "resulting in", "we get", "you get", "i get", "we obtain", "turns into", "ergibt", "ergibt sich", "donne", "dà", "dá"}},
	// pronouns, with their verbs, stand for the answer.
	{pronouns, []string{"it's", "it is", "that's", "that is", "this is", "that would be", "it would be", "it should be", "you get", "we get", "i get"}},
	// conditions, in parentheses, repeat what a question says of how to count.
	{conditions, []string{"first position", "first one", "first character", "first index"}},
	// havings come before a count of what a text has.
	{havings, []string{"contains", "has", "there are", "there is", "i count", "i counted", "i see", "enthält", "hat", "contient", "contiene"}},
	// omissions say what an earlier answer lacked.
	{omissions, []string{"forgot", "forgotten", "missed", "skipped", "left out", "overlooked", "vergessen", "oublié", "olvidé"}},
	// reasonWords follow an answer that is stated first.
	{reasonWords, []string{"(", "because", "since", "as", "for", "weil", "denn", "da", "parce que", "car", "porque", "ya que", "perché", "poiché", "omdat"}},
	// firstPersons begin what a model says of what it did.
	{firstPersons, []string{"i made", "i've", "i have", "i kept", "i left", "i did", "i copied", "i reversed", "i changed", "i removed", "i replaced", "i corrected", "i wrote", "i preserved"}},
	// textNouns head a text that is given as the answer.
	{textNouns, []string{"text", "string", "sentence", "phrase", "line", "lines", "original text", "zeichenkette", "texte", "texto", "testo", "текст", "文本", "テキスト"}},
	// characterNouns and numberNouns name an answer that is a character, or a number other than a sum. timesWords follow a count.
	{characterNouns, []string{"character", "char", "letter", "digit", "symbol", "it", "zeichen", "buchstabe", "ziffer", "caractère", "lettre", "chiffre", "carácter", "letra", "dígito", "carattere", "lettera", "cifra", "caractere", "字符", "字母", "文字", "символ", "буква", "문자", "글자"}},
	{numberNouns, []string{"count", "counts", "number of", "total number", "position", "index", "root", "whole part", "integer part", "whole number", "floor", "occurrences", "times", "frequency", "length",
		"anzahl", "position ist", "stelle", "wurzel", "häufigkeit", "nombre", "fois", "racine", "occurrence", "número", "posición", "raíz", "veces", "numero", "posizione", "radice", "posição", "raiz", "aantal", "positie", "wortel", "个数", "次数", "位置", "平方根", "立方根", "個数", "回数", "количество", "позиция", "позиции", "корень", "개수", "위치", "제곱근"}},
	{timesWords, []string{"times", "time", "occurrences", "occurrence", "instances", "instance", "mal", "fois", "veces", "vez", "vezes", "volte", "volta", "keer", "раз", "раза", "次", "回", "個", "个", "번"}},
	{answerNouns, []string{"reversed string", "reversed sequence", "sorted sequence", "reversed text", "reversed version", "reversed form", "sorted list", "sorted order", "sorted version", "ordered list", "result", "answer", "output", "sum", "total sum", "total", "altogether", "in total", "a total of", "a sum of", "together", "you get", "we get", "i get", "get", "into", "obtain", "we have", "therefore", "thus", "hence", "correct order",
		"umgekehrte text", "umgekehrte zeichenkette", "sortierte liste", "chaîne inversée", "liste triée", "cadena invertida", "lista ordenada"}},
	{inputEnds, []string{"of", "for", "from", "with", "string", "pattern", "sequence", "phrase", "expression", "equivalent to", "identical to", "same as", "the text", "your text", "word", "input", "reverse", "the reverse", "reversing", "reverse the string", "sort", "sorting", "the list", "numbers", "add", "adding", "between", "original", "given", "take", "taking", "spell", "consider", "string is", "prompt", "by", "than", "replace", "like", "contains", "letter", "letters", "digit", "digits", "character", "characters", "at", "after", "before", "variable", "using", "use", "type", "called", "function", "zeichenkette", "chaîne", "cadena", "von", "de", "steps", "the first", "the last", "carry", "carry the", "write", "write down", "below", "above", "under", "over", "least", "most", "about", "around", "repeat", "repeating", "copy", "copying"}},
	{inputAfter, []string{"reversed", "in reverse", "backwards", "backward", "spelled backwards", "becomes", "→", "->", "=>", "umgekehrt", "rückwärts", "à l'envers", "al revés", "is the original", "is exactly the original", "is the input", "was the original", "was the input", "was given", "is given", "comes before", "comes after", "comes first", "comes last", "digits", "numbers", "characters", "steps", "places", "columns", "times", "items", "integers", "letters", "elements", "digit", "is larger", "is smaller", "is less", "is greater"}},
	{answerAfter, []string{"is what you get", "is what we get", "is what i get", "is the answer", "is the final answer", "is the result", "is the reversed", "is the reverse", "is the sum", "is the sorted", "is your answer", "is my answer", "is your reversed", "is the correct answer", "is the total", "is the output", "ist die antwort", "ist das ergebnis", "ist die summe", "est la réponse", "es la respuesta"}},
	// sortedWords say of a list before them that it is in order.
	{sortedWords, []string{"is already sorted", "is already in", "is sorted in", "is now sorted", "is now in", "is in ascending order", "is in descending order", "is in the correct order", "is in alphabetical order"}},
	{negations, []string{"not", "isn't", "aren't", "wasn't", "don't", "doesn't", "didn't", "never", "neither", "nor", "can't", "cannot", "won't", "wouldn't", "couldn't", "shouldn't", "nicht", "kein", "keine", "n'est pas", "no es", "non è", "não é", "не", "不是", "far from", "unable to"}},
	// exclusions deny what follows them, up to a link.
	{exclusions, []string{"without", "instead of", "rather than", "unlike"}},
	{harmless, []string{"not only", "not just", "don't worry", "not including", "not counting", "without quotes", "without the quotes", "without any", "without spaces", "without anything", "without changing", "without modification", "without modifying", "without altering", "without additional"}},
	{deniedAfter, []string{"is wrong", "is incorrect", "is not", "isn't", "are not", "aren't", "was wrong", "would be wrong", "would be incorrect", "is a mistake", "ist falsch", "est faux", "es incorrecto", "cannot be", "can't be", "is one possib", "is a common mistake", "has a mistake", "may be wrong"}},
	{butWords, []string{"but", "but rather", "sondern", "mais", "sino"}},
	{orWords, []string{"or", "oder", "ou", "或"}},
	{alternatives, []string{"either", "entweder", "one of the following", "one of these", "candidates", "possibilities", "options are", "could be any", "possible answers"}},
	{examples, []string{"for example", "for instance", "like this", "e.g", "such as", "an example", "zum beispiel", "z.b", "par exemple", "por ejemplo", "比如", "例如", "suppose", "if the string were", "if the input were", "if it were", "imagine"}},
	// aboutAnswers head what is said about an answer that was given.
	{aboutAnswers, []string{"changes", "edits", "edits made", "explanation", "explanations", "note", "notes", "steps", "summary", "breakdown", "reasoning", "details", "modifications"}},
	{withdrawals, []string{"wait", "actually", "correction", "hold on", "oops", "my mistake", "my apologies", "apologies", "scratch that", "hmm", "no,", "no wait", "sorry,", "i made", "let me correct", "let me fix", "let me redo", "let me try again", "on second thought", "that's wrong", "that is wrong", "that's not right", "that's incorrect", "i apologize", "moment", "korrektur", "entschuldigung,", "pardon", "en fait", "espera", "corrección", "不对", "等等", "подождите", "edit:", "update:"}},
	{wrongs, []string{"wrong", "mistake", "incorrect", "an error", "not right", "isn't right", "not correct", "isn't correct", "redo", "try again", "falsch", "fehler", "faux", "erreur", "incorrecto", "错", "неверно", "disregard", "ignore that"}},
	{talkPhrases, []string{"answer is", "result is", "output is", "string is", "text is", "reversed:", "answer:", "result:", "output:", "here is", "here are", "below are", "here's", "here you go", "sure", "certainly", "i'm", "i am", "i can", "i cannot", "i can't", "sorry", "let me", "the reversed", "hier ist", "voici", "aquí", "reads:", "backwards:", "is:", "as an ai", "```"}},
	{listAnswers, []string{"merged", "merged list", "merging", "combined", "interleaved", "intersection", "difference", "common items", "common elements", "without duplicates", "unique items", "remaining items", "new list"}},

	// listExamples begin a sentence about another list.
	{listExamples, []string{"example", "examples", "beispiel", "exemple", "ejemplo", "esempio", "exemplo", "例"}},

	// qualifierStarts come before a value that says which thing is meant.
	{qualifierStarts, []string{"in the", "in a", "in an", "of the", "of a", "of an", "from the", "from a", "from an", "by the", "by a", "by an", "with the", "with a", "with an", "on the", "on a", "on an", "at the"}},
	{justAnswer, []string{"answer"}},

	// speakers are the words by which a model speaks of itself or to a user.
	{speakers, []string{"i", "i'm", "i'll", "i've", "me", "my", "you", "your", "you're", "we", "our", "let's", "let", "here", "please", "sure", "sorry"}},

	// clauseStarts begin a clause of a sentence, with a space behind them.
	{clauseStarts, []string{" but", " however,", ";", ":", " aber", " mais", " pero", " sondern", " instead,", "; it's", " so"}},
}

// isStopWord reports whether a word alone is talk, no answer.
func isStopWord(t string) bool {
	t = strings.ToLower(strings.Trim(t, ".!:,*_`\"'#"))
	return t == "" || slices.Contains(stopWords, t)
}

// talks reports whether a text in lower case reads as talk about an answer.
func talks(low string) bool {
	return hasPhrase(low, talkPhrases) || strings.Contains(low, ":\n")
}

func isWordRune(r rune) bool {
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r >= 0xc0 && r < 0x2000
}
