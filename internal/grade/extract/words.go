package extract

import "strings"

// The words that give values their roles, in lower case, in the languages of chat models.
const (
	Finals phraseSet = 1 << iota
	AnswersSure
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
	Examples
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
	contrasts
	copyings
	closers
	subordinates
	numberLabels
	presentings
	hedges
	corrections
	adverbs
	manners
	toNouns
	copyRequests
	changeRequests

	answers = AnswersSure | furtherAnswers
)

// The sets of the tables Inside, Beginnings and Endings.
const (
	insideSets = Finals | answers | inputSubjects | inputs | earlier | conditions | omissions | textNouns | characterNouns | numberNouns |
		negations | exclusions | harmless | alternatives | Examples | wrongs | talkPhrases | listAnswers | justAnswer | speakers | contrasts | copyings | subordinates | presentings | hedges | toNouns | copyRequests | changeRequests
	startSets = reasonWords | firstPersons | timesWords | inputAfter | answerAfter | sortedWords | deniedAfter | orWords | aboutAnswers | withdrawals | listExamples | closers | corrections
	endSets   = Finals | links | producing | pronouns | havings | characterNouns | numberNouns | answerNouns | inputEnds | butWords | orWords | qualifierStarts | clauseStarts | numberLabels | adverbs | manners
)

var (
	// endMarks are what chat templates leave at the end of replies.
	endMarks = []string{"<|im_end|>", "</s>", "<|eot_id|>", "<|endoftext|>", "<|end|>", "<end_of_turn>", "<|return|>"}

	// interjections begin a line that goes on with an answer.
	interjections = []string{"sure", "yes", "ok", "okay", "alright", "certainly", "of course", "absolutely", "great", "sure thing", "no problem", "done", "here you go", "got it", "claro", "natürlich", "bien sûr", "gerne"}

	// copulas are behind a word, without a space.
	copulas = []string{"입니다", "이에요", "예요", "です"}

	// openers stand alone before an answer.
	openers = []string{"so", "finally", "in short", "in other words", "to sum up", "all in all", "in conclusion", "kurz", "insgesamt", "schließlich", "enfin", "bref", "en resumen", "infine", "в итоге", "итого", "所以", "因此", "つまり", "therefore", "thus", "hence", "also", "daher", "somit", "donc", "ainsi", "así", "entonces", "por lo tanto", "por tanto", "quindi", "portanto", "dus", "итак", "значит"}

	// approximations are before a number that is not exact.
	approximations = []string{"approximately", "about", "around", "roughly", "approx.", "≈", "~", "ungefähr", "etwa", "circa", "ca.", "rund", "environ", "approximativement", "aproximadamente", "cerca de", "alrededor de", "approssimativamente", "ongeveer", "приблизительно", "примерно", "около", "yaklaşık", "około", "omkring", "ungefär", "约", "約", "大约", "약", "लगभग", "حوالي", "تقريبا"}

	// asides open parentheses with an example or an explanation.
	asides = []string{"(i.e.", "(i.e.,", "(e.g.", "(e.g.,", "(z.b.", "(d.h.", "(p. ex.", "(p. ej."}

	// powerWords, behind a number, make a power of it.
	powerWords = []string{"squared", "cubed", "to the power", "to the second", "to the third", "times itself", "zum quadrat", "hoch ", "im quadrat", "au carré", "au cube", "al cuadrado", "al cubo", "al quadrato", "ao quadrado", "ao cubo", "in het kwadraat", "do kwadratu", "do sześcianu", "в квадрате", "в кубе", "的平方", "的立方", "の二乗", "の三乗"}

	// conclusions begin a clause that says what follows from the one before.
	conclusions = []string{", so ", ", therefore ", ", thus ", ", hence ", ", daher ", ", somit ", ", donc ", ", así que ", ", por lo que ", ", quindi ", ", portanto ", ", dus ", ", поэтому "}

	// andWords stand between the last numbers of several.
	andWords = []string{"and", "then", "and then", "und", "dann", "und dann", "et", "puis", "et puis", "y", "luego", "y luego", "e", "poi", "e poi", "depois", "en", "dan", "и", "затем", "和", "と"}

	// itemAnds stand before the last item of a list.
	itemAnds = []string{"and", "und", "et", "y", "e", "en", "och", "og", "и", "ve", "dan", "i"}

	// itemLinks are between words and the items of a list without brackets.
	itemLinks = []string{": ", "： ", "：", " is ", " are ", " be ", " = ", ":** ", " sind ", " lauten ", " sont ", " son ", " sono ", " são ", " zijn "}

	// appositions begin what is said about a value that begins a sentence.
	appositions = []string{" – ", " — ", " (", " ← ", " <- ", " <-- ", " <= "}
)

var lists = [...]list{
	{Finals, []string{"final answer", "final result", "final sum", "final output", "final sorted list", "final list", "final number", "final value", "final string", "final:", "final version", "final reversed string", "endgültige antwort",
		"réponse finale", "respuesta final", "risposta finale", "resposta final", "最终答案", "最終的な答え", "итоговый ответ", "окончательный ответ",
		"endergebnis", "endgültiges ergebnis", "résultat final", "resultado final", "risultato finale", "eindresultaat", "eindantwoord", "最终结果", "最終結果", "最終的な結果", "итоговый результат", "окончательный результат", "최종 결과", "최종 답", "최종 답변",
		"kết quả cuối cùng", "đáp án cuối cùng", "hasil akhir", "jawaban akhir", "nihai sonuç", "nihai cevap", "wynik końcowy", "ostateczny wynik", "ostateczna odpowiedź", "slutresultat", "अंतिम उत्तर", "النتيجة النهائية", "الإجابة النهائية"}},
	// AnswersSure name an answer whatever else is said; Answers name it before a link.
	{AnswersSure, []string{"原文如下", "answer", "result", "reversed string", "reversed version", "reversed text", "reverse of", "reversal of", "sorted version", "sorted list", "sum of", "in reverse", "backwards", "reversed", "sorted", "output", "copy of", "copied", "exactly", "verbatim", "unchanged"}},
	{furtherAnswers, []string{"answers", "results", "solution", "outcome", "correct", "right one", "reverse", "reversal", "backward", "ordered", "ascending", "in order", "sum", "total",
		"copy", "repeated", "repetition", "exact string", "exact text", "conclusion", "mirrored", "rearranged", "corrected", "revised", "altogether", "right to left", "back to front", "back to the front", "end to the start", "end to the beginning", "end to start",
		"column by column gives", "column by column yields", "digit by digit gives", "digit by digit yields", "place by place gives", "place by place yields",
		"antwort", "ergebnis", "lösung", "umgekehrt", "umgekehrte", "umgekehrten", "rückwärts", "sortiert", "sortierte", "summe", "ausgabe",
		"réponse", "résultat", "inversée", "inversé", "à l'envers", "triée", "somme",
		"respuesta", "resultado", "invertida", "invertido", "al revés", "ordenada", "suma",
		"risposta", "risultato", "invertita", "al contrario", "ordinata", "somma", "resposta", "soma", "antwoord", "resultaat", "som", "gesorteerde", "omgekeerde",
		"答案", "结果", "反转", "倒序", "总和", "排序", "答え", "結果", "合計", "逆順", "逆", "ответ", "результат", "сумма", "наоборот", "отсортированный", "정답", "결과", "합",
		"cevap", "cevabı", "yanıt", "sonuç", "toplam", "kết quả", "đáp án", "câu trả lời", "tổng", "odpowiedź", "wynik", "suma", "الإجابة", "الجواب", "النتيجة", "المجموع", "jawaban", "hasil", "jumlah", "คำตอบ", "ผลลัพธ์",
		"відповідь", "απάντηση", "αποτέλεσμα", "תשובה", "התשובה", "răspuns", "răspunsul", "rezultat", "rezultatul", "válasz", "eredmény", "odpověď", "výsledek", "svar", "svaret", "resultat", "resultatet", "vastaus", "tulos",
		"hasilnya", "jawabannya", "jumlahnya", "sonucu", "toplamı", "сума", "άθροισμα", "הסכום", "összeg", "součet", "summan", "summen",
		"उत्तर", "परिणाम", "जवाब", "योग", "উত্তর", "ফলাফল",
		"richtig", "richtige", "korrekt", "korrekte", "le bon", "lo correcto", "correcto", "correcta", "corretto", "corretta", "correto", "correta", "juiste", "correcte", "correct", "prawidłowa", "prawidłowy", "prawidłowo", "správně", "správný", "správná", "правильно", "правильный", "правильная", "правильне", "rätt", "riktig", "rigtig", "oikea", "doğru", "正确", "正解", "正しい", "맞는",
		"ταξινομημένη", "ταξινομημένο", "seřazený", "seřazená", "posortowana", "uporządkowana", "rendezett", "sortată", "ordonată", "sorteret", "sorterede", "sortert", "sorterte", "sorterad", "sorterade", "järjestetty", "sıralanmış", "sıralı", "відсортований", "отсортированная", "отсортированном", "сортиран", "сортирана", "сортираният", "surūšiuotas", "surikiuotas", "sakārtots", "sakārtotais", "sorditud", "järjestatud", "sortiran", "sortirana", "sortirani", "zoradený", "zoradená", "usporiadaný", "sắp xếp", "terurut", "diurutkan", "เรียงลำดับ", "เรียงแล้ว", "क्रमबद्ध", "সাজানো", "مرتبة", "المرتبة", "مرتب", "مرتب\u200cشده", "ממוינת", "הממוינת", "ordenat"}},
	{inputSubjects, []string{"original", "originally", "input", "unsorted", "initial", "provided", "you gave", "you asked", "ursprüngliche", "originale", "entrada", "原文", "输入", "原始", "入力", "исходный", "исходная", "исходная строка",
		"du gav", "dere ga", "du ga", "ви надали", "ви дали", "вы дали", "вы предоставили", "дадохте", "bạn đưa", "bạn cung cấp", "vous avez donné", "vous m'avez donné", "tu m'as donné", "du mir gegeben", "sie mir gegeben", "me has dado", "me diste", "proporcionaste", "você forneceu", "você deu", "hai fornito", "hai dato", "je gaf", "podał", "podałeś", "zadal", "zadali", "ai dat", "verdiğiniz", "antamasi", "antaman", "andsid", "pateikėte", "dotais", "задати", "έδωσες", "δώσατε", "שנתת", "دادید", "kamu berikan", "anda berikan", "ที่ให้มา", "你给", "提供的", "いただいた", "주신", "vas donar"}},
	{inputs, []string{"given", "source", "starting", "start with", "prompt", "eingabe", "gegeben", "entrée",
		"first number", "second number", "first addend", "second addend", "number 1", "number 2", "example", "first half", "second half", "first part", "second part", "last part", "first chunk", "second chunk", "carry", "carry over", "digit", "count", "length", "characters", "digits", "character", "items", "elements", "units", "tens", "hundreds", "ones", "thousands", "column", "place",
		"som skal sorteres", "som ska sorteras", "der skal sorteres", "даденият", "đã cho", "gegeven lijst", "zadaný", "zadaná", "adott lista", "megadott", "dată", "verilen", "antud", "pateiktas", "dotā", "zadani", "zadata", "הנתונה", "داده\u200cشده", "المعطاة", "المعطى", "दी गई", "दिया गया", "দেওয়া", "给定", "给出的", "与えられた", "주어진", "donada"}},
	// earlier words say that a value is one from before the answer.
	{earlier, []string{"before", "to be reversed", "to be sorted", "to reverse", "to sort", "want to", "asked to", "instead of", "rather than", "previous", "previously", "earlier attempt", "wrong", "incorrect", "mistaken", "thought", "first attempt", "common mistake"}},
	// links offer what follows them. Producing are those that only a result follows.
	{links, []string{":", "：", "=", "→", "➡", "➜", "⇒", "⟶", "⇄", "⇨", "➔", "->", "=>", "—", "–", " -", "≈", "==",
		"is", "was", "are", "be", "becomes", "become", "becoming", "became", "gives", "give", "gives us", "get", "got", "yields", "yield", "equals", "equal to", "giving", "yielding", "results in", "result in", "resulting in", "turns into", "turn into", "turned into", "produces", "produce", "returns", "return", "as", "it's", "that's", "makes", "make", "making", "make it", "makes it", "gives me", "gives you", "give you", "gives us", "give us", "comes out", "come out", "totals", "comes to", "come to", "reads", "read", "adds up to", "add up to", "appears", "occurs", "spells", "spell", "spelled", "spelt", "spelling", "written", "found at", "located at", "holds", "end up with", "end up as", "ends up as", "ends up with", "come up with", "came up with", "arrive at", "arrives at", "arrived at", "is at", "left with", "leaves us with", "leaving us with", "you have", "see", "find", "found", "says", "say", "obtain", "reach", "shows", "leaves", "lands on", "land on", "settle on", "namely", "i.e.", "works out to", "comes out as", "comes out to", "come out as", "amounts to", "changes to", "changes into", "reverses to", "flips to", "converts to", "evaluates to", "rounded down", "rounded down to", "rounds down to", "abgerundet", "abgerundet auf", "arrondi à l'inférieur", "redondeado hacia abajo", "arrotondato per difetto", "arredondado para baixo", "afgerond naar beneden", "corresponds to", "entspräche", "correspond à", "corresponde", "corresponde a", "corrisponde a", "komt overeen met", "odpowiada", "соответствует", "sums to", "sum to", "leads to", "transforms into", "looks like", "we write", "form", "forms", "go with", "make that", "or rather", "i mean", "output", "print", "prints",
		"ist", "lautet", "lauten", "ergibt", "ergeben", "sind", "beträgt", "befindet sich an", "wird", "wird zu", "wäre", "heißt", "liest sich", "macht", "erhält man", "erhalten wir", "erhältst du", "bekommt man", "kommt man auf", "kommt heraus", "steht dort", "steht da", "entspricht", "gleich", "nämlich", "das wort", "an stelle", "an position",
		"est", "sont", "donne", "donnent", "devient", "serait", "fait", "font", "obtient", "obtenons", "obtiens", "égale", "vaut", "s'écrit", "se lit", "c'est", "à savoir", "au total", "en position",
		"es", "son", "queda", "quedaría", "sería", "se convierte en", "obtenemos", "se obtiene", "obtengo", "resulta", "se lee", "se escribe", "equivale a", "suman", "tenemos", "en la posición",
		"é", "são", "dá", "fica", "ficaria", "seria", "torna-se", "se torna", "vira", "obtemos", "obtém-se", "resulta em", "lê-se", "somam", "temos", "na posição",
		"è", "sono", "dà", "diventa", "sarebbe", "si ottiene", "otteniamo", "risulta", "si legge", "si scrive", "pari a", "fa", "fanno", "abbiamo", "in posizione",
		"wordt", "geeft", "luidt", "leest", "krijg je", "krijgen we", "zou zijn", "jest", "daje", "brzmi", "wynosi", "otrzymujemy", "är", "blir", "er", "bliver",
		"равна", "равен", "равно", "это", "будет", "станет", "становится", "получится", "получится так", "получается", "получаем", "получим", "превращается в", "выглядит так", "составляет", "читается как", "даёт", "дает", "всего",
		"是", "为", "為", "等于", "等於", "得到", "得出", "变成", "變成", "就是", "成为", "写作", "读作", "应为", "即", "共有", "は", "すると", "と", "なら", "合わせて", "全部で", "은", "는", "면", "모두",
		"คือ", "เท่ากับ", "ແມ່ນ", "គឺ", "adalah", "ialah", "yaitu", "yakni", "menjadi", "là", "bằng", "thành", "είναι", "ισούται με", "הוא", "היא", "lyder", "дорівнює", "становить", "równa się", "rovná se",
		"هو", "है",
		"to daje", "dává", "dáva", "adja", "dau", "ger", "giver", "gir", "antaa", "annab", "duoda", "dod", "дає", "дава", "verir", "cho ra", "menghasilkan"}},
	{producing, []string{"gives", "gives us", "gives you", "giving", "yields", "yielding", "produces", "returns", "results in", "resulting in", "we get", "you get", "i get", "we obtain", "turns into", "becomes", "becoming", "end up with", "arrive at", "arrive", "ergibt", "ergibt sich", "wird zu", "donne", "devient", "on obtient", "obtenemos", "se obtiene", "se convierte en", "dà", "diventa", "si ottiene", "dá", "torna-se", "obtemos", "fica", "получится", "получаем", "получается", "得到", "变成", "變成"}},
	// closers end a sentence in which the answer comes before the verb.
	{closers, []string{"です", "でした", "だ。", "である", "になります", "となります", "になる", "となる", "と読めます", "と読みます", "と書けます", "が答え", "が正解", "입니다", "이다", "예요", "이에요", "이 됩니다", "가 됩니다", "이 돼요", "가 돼요", "됩니다", "이 나옵니다", "가 나옵니다", "olur", "eder", "है"}},
	// Pronouns, with their verbs, stand for the answer.
	{pronouns, []string{"it's", "it is", "that's", "that is", "this is", "that would be", "it would be", "it should be", "you get", "we get", "i get", "it becomes"}},
	// Conditions, in parentheses, repeat what a question says of how to count.
	{conditions, []string{"first position", "first one", "first character", "first index"}},
	// presentings hand over an answer.
	{presentings, []string{"here is", "here's", "here it is", "here you go", "there you go", "there it is", "hier ist", "voici", "aquí está", "aquí tienes", "ecco", "aqui está", "вот", "以下是", "这是"}},
	// manners say how a text is left, not what it is.
	{manners, []string{"as it is", "as it was", "as it has been", "as they are", "as they were", "as you have", "wie es ist", "wie er ist", "wie es war", "tel qu'il est", "comme il est", "tal como está", "tal como es", "così com'è", "como está"}},
	// toNouns name a value in languages where "to" or "je" between them and it is "is".
	{toNouns, []string{"znak", "znakiem", "litera", "literą", "cyfra", "cyfrą", "pozycja", "liczba", "odpowiedź", "wynik", "wynikiem", "suma", "tekst", "ciąg", "słowo", "písmeno", "písmenem", "číslice", "odpověď", "výsledek", "výsledkem", "slovo", "řetězec", "odgovor", "rezultat", "slovo"}},
	// adverbs stand between a link and an answer.
	{adverbs, []string{"a", "an", "the", "always", "therefore", "thus", "then", "hence", "simply", "indeed", "exactly", "also", "actually", "really", "just", "now", "probably", "clearly", "rückwärts", "umgekehrt", "наоборот", "daher", "somit", "folglich", "dann", "eigentlich", "das", "daraus", "wohl",
		"donc", "alors", "ainsi", "exactement", "entonces", "exactamente", "así", "quindi", "esattamente", "portanto", "assim", "exatamente", "dus", "de", "di", "именно", "так",
		"dunque", "pertanto", "deci", "aşadar", "așadar", "tedy", "takže", "więc", "zatem", "alltså", "altså", "siis", "tehát", "demek ki", "таким образом", "значит", "отже", "следователно", "dakle", "torej", "vậy", "jadi", "maka", "άρα", "επομένως", "por tanto", "então"}},
	// hedges make of a sentence no offer, where no words offer its answer either.
	{hedges, []string{"may", "might", "doubt", "guess", "maybe", "perhaps", "could", "possibly", "vielleicht", "könnte", "peut-être", "pourrait", "puede que", "podría", "quizás", "forse", "potrebbe", "talvez", "poderia", "возможно", "может", "可能", "也许", "かもしれ"}},
	// subordinates begin a clause that says how something is done, or why.
	{subordinates, []string{"because", "since", "as the", "where", "note", "remember", "with the", "if", "given that", "assuming", "means", "weil", "wobei", "da die", "car", "puisque", "porque", "ya que", "perché", "omdat", "потому что", "так как", "где"}},
	// numberLabels come before a number that says which thing is meant, or how large something is.
	{numberLabels, []string{"step", "line", "column", "row", "page", "version", "in", "between", "than", "about", "positions", "from position", "from index", "indices", "indexes", "places", "schritt", "étape", "paso", "passo", "stap", "шаг", "步骤"}},
	// havings come before a count of what a text has.
	{havings, []string{"contains", "has", "there are", "there is", "i count", "i counted", "i see", "enthält", "hat", "contient", "contiene"}},
	// omissions say what an earlier answer lacked.
	{omissions, []string{"forgot", "forgotten", "missed", "skipped", "left out", "overlooked", "vergessen", "oublié", "olvidé"}},
	// reasonWords follow an answer that is stated first.
	{reasonWords, []string{"(", "because", "since", "as", "for", "weil", "denn", "da", "parce que", "car", "porque", "ya que", "perché", "poiché", "omdat",
		"bo", "ponieważ", "protože", "lebo", "mert", "deoarece", "pentru că", "eftersom", "fordi", "koska", "sest", "nes", "jo ", "потому что", "так как", "тому що", "бо", "адже", "защото", "çünkü", "vì", "karena", "γιατί", "επειδή", "כי", "لأن", "چون", "क्योंकि"}},
	// firstPersons begin what a model says of what it did.
	{firstPersons, []string{"i made", "i've", "i have", "i kept", "i left", "i did", "i copied", "i reversed", "i changed", "i removed", "i replaced", "i corrected", "i wrote", "i preserved"}},
	// textNouns head a text that is given as the answer.
	{textNouns, []string{"text", "string", "sentence", "phrase", "line", "lines", "original text", "zeichenkette", "zeichenfolge", "chaîne", "chaîne de caractères", "texte", "cadena", "stringa", "строка", "строку", "字符串", "文字列", "문자열", "tekst", "tekenreeks", "ciąg", "chuỗi", "dizi", "sträng", "strengen", "texto", "testo", "текст", "文本", "テキスト", "텍스트"}},
	// characterNouns and numberNouns name an answer that is a character, or a number other than a sum. timesWords follow a count.
	{characterNouns, []string{"character", "char", "letter", "digit", "symbol", "it", "znak", "litera", "cyfra", "písmeno", "tecken", "tegn", "merkki", "zeichen", "buchstabe", "ziffer", "caractère", "lettre", "chiffre", "carácter", "letra", "dígito", "carattere", "lettera", "cifra", "caractere", "字符", "字母", "文字", "символ", "буква", "문자", "글자"}},
	{numberNouns, []string{"count", "counts", "number of", "total number", "position", "index", "root", "whole part", "integer part", "integral part", "whole number", "floor", "ganzzahlige teil", "ganzzahliger teil", "ganze teil", "ganzzahlanteil", "partie entière", "parte entera", "parte intera", "parte inteira", "gehele deel", "heltalsdelen", "heltalsdel", "część całkowita", "częścią całkowitą", "целая часть", "ціла частина", "tam kısmı", "tam kısım", "整数部分", "정수 부분", "occurrences", "times", "frequency", "length",
		"anzahl", "position ist", "stelle", "wurzel", "häufigkeit", "nombre", "fois", "racine", "occurrence", "número", "posición", "raíz", "veces", "numero", "posizione", "radice", "posição", "raiz", "aantal", "positie", "wortel", "个数", "次数", "位置", "平方根", "立方根", "個数", "回数", "количество", "позиция", "позиции", "корень", "개수", "위치", "제곱근",
		"plaats", "plek", "positie is", "plass", "plats", "platsen", "pladsen", "plassen", "stilling", "miejsce", "miejscu", "pozycja", "pozycji", "místo", "místě", "pozice", "pozici", "miesto", "mieste", "pozícia", "pozícii", "hely", "helyen", "pozíció", "poziția", "locul", "място", "место", "месту", "месте", "місце", "місці", "позиції", "mjesto", "mjestu", "место", "позицији", "koht", "kohal", "positsioon", "sija", "sijalla", "paikka", "vieta", "vietoje", "vietā", "pozīcija", "θέση", "konum", "konumu", "sıra", "sırada", "sırası", "vị trí", "posisi", "urutan", "ตำแหน่ง", "ตำแหน่งที่", "स्थान", "স্থান", "موضع", "الموضع", "موقع", "מקום", "המקום", "מיקום", "arrel", "rădăcina", "raíz cúbica", "odmocnina", "pierwiastek", "gyöke", "korijen", "корен", "ruutjuur", "neliöjuuri", "kvadratrot", "kvadratroten", "kubikrot", "šaknis", "sakne", "kök", "karekökü", "căn bậc", "akar", "รากที่", "ρίζα", "שורש", "الجذر", "ریشه"}},
	{timesWords, []string{"times", "time", "occurrences", "occurrence", "instances", "instance", "mal", "fois", "veces", "vez", "vezes", "volte", "volta", "keer", "maal", "raz", "razy", "gånger", "gång", "gange", "ganger", "kez", "kere", "defa", "krát", "alkalommal", "kertaa", "kali", "lần", "φορές", "разів", "рази", "פעמים", "مرات", "مرة", "बार", "ครั้ง", "vorkommen", "apariciones", "ocurrencias", "occorrenze", "ocorrências", "wystąpienia", "wystąpień", "вхождения", "вхождений", "раз", "раза", "次", "回", "個", "个", "번",
		"ori", "oară", "пута", "puta", "път", "пъти", "korda", "kord", "kartus", "kartą", "kartų", "kartai", "reizes", "reizi", "reize", "szer", "szor", "esetben", "بار", "بارا", "বার"}},
	{answerNouns, []string{"reversed string", "reversed sequence", "sorted sequence", "reversed text", "reversed version", "reversed form", "sorted list", "sorted order", "sorted version", "ordered list", "result", "answer", "output", "sum", "total sum", "total", "altogether", "in total", "a total of", "a sum of", "together", "you get", "we get", "i get", "get", "into", "obtain", "we have", "resulting list", "resulting in the list", "giving the list", "gives the list", "get the list", "returns the list", "produces the list", "therefore", "thus", "hence", "correct order",
		"umgekehrte text", "umgekehrte zeichenkette", "sortierte liste", "chaîne inversée", "liste triée", "cadena invertida", "lista ordenada",
		"reihenfolge", "ordre", "orden", "ordem", "ordine", "volgorde", "pořadí", "kolejność", "ordning", "ordningen", "rækkefølge", "rekkefølge", "järjestys", "sorrend", "sıralama", "порядок", "thứ tự", "urutan", "urutannya", "順序", "顺序", "순서", "क्रम",
		"उत्तर", "उत्तर है", "जवाब", "উত্তর", "উত্তর হলো", "ফলাফল", "جواب", "پاسخ", "نتیجه", "الجواب", "الإجابة", "תשובה", "התשובה"}},
	{inputEnds, []string{"of", "for", "from", "with", "string", "pattern", "sequence", "phrase", "expression", "equivalent to", "identical to", "same as", "the text", "your text", "word", "input", "reverse", "the reverse", "reversing", "reverse the string", "sort", "sorting", "the list", "numbers", "add", "adding", "between", "original", "given", "take", "taking", "spell", "consider", "string is", "prompt", "by", "than", "replace", "like", "contains", "letter", "letters", "digit", "digits", "character", "characters", "at", "after", "before", "variable", "using", "use", "type", "called", "function", "zeichenkette", "chaîne", "cadena", "von", "de", "steps", "the first", "the last", "carry", "carry the", "write", "write down", "below", "above", "under", "over", "least", "most", "about", "around", "repeat", "repeating", "copy", "copying"}},
	{inputAfter, []string{"reversed", "in reverse", "backwards", "backward", "spelled backwards", "becomes", "→", "->", "=>", "umgekehrt", "rückwärts", "à l'envers", "al revés", "is the original", "is exactly the original", "is the input", "was the original", "was the input", "was given", "is given", "comes before", "comes after", "comes first", "comes last", "digits", "numbers", "characters", "steps", "places", "columns", "carry", "carries", "times", "items", "integers", "letters", "elements", "digit", "different", "distinct", "vowels", "consonants", "words", "is larger", "is smaller", "is less", "is greater"}},
	{answerAfter, []string{"is what you", "is what we", "is what i get", "is what comes", "is what it", "is how", "is the outcome", "is the solution", "is the answer", "is the final answer", "is the result", "is the reversed", "is the reverse", "is the sum", "is the sorted", "is your answer", "is my answer", "is your reversed", "is the correct answer", "is the total", "is the output", "ist die antwort", "ist das ergebnis", "ist die summe", "est la réponse", "es la respuesta",
		"になります", "となります", "になる", "となる"}},
	// sortedWords say of a list before them that it is in order.
	{sortedWords, []string{"is already sorted", "is already in", "is sorted in", "is now sorted", "is now in", "is in ascending order", "is in descending order", "is in the correct order", "is in alphabetical order"}},
	{negations, []string{"not", "isn't", "aren't", "wasn't", "don't", "doesn't", "didn't", "never", "neither", "nor", "can't", "cannot", "won't", "wouldn't", "couldn't", "shouldn't", "nicht", "kein", "keine", "keinen", "whether", "wonder", "wondering", "some would", "many would", "some people", "many people", "most people", "others would", "one might", "one could", "you might", "niet", "geen", "pas", "no es", "no sería", "no son", "non è", "non sarebbe", "não", "nie", "inte", "не", "不是", "并非", "不等于", "far from", "unable to"}},
	// exclusions deny what follows them, up to a link.
	{exclusions, []string{"without", "instead of", "rather than", "unlike"}},
	{harmless, []string{"not only", "not just", "don't worry", "not including", "not counting", "without quotes", "without the quotes", "without any", "without spaces", "without anything", "without changing", "without modification", "without modifying", "without altering", "without additional", "pas seulement", "nicht nur"}},
	{deniedAfter, []string{"is wrong", "is incorrect", "is not", "isn't", "are not", "aren't", "was wrong", "would be wrong", "would be incorrect", "is a mistake", "ist falsch", "est faux", "es incorrecto", "cannot be", "can't be", "is one possib", "is a common mistake", "has a mistake", "may be wrong", "is too", "is still too", "ist zu", "est trop", "es demasiado", "ist nicht", "n'est pas", "no es", "non è", "não é", "не", "ではありません", "ではなく", "じゃない", "じゃなく", "이 아니", "가 아니", "değil", "吗", "嗎", "ですか", "でしょうか", "입니까", "인가요", "일까요",
		"가 아닙", "이 아닙"}},
	{butWords, []string{"but", "but rather", "sondern", "mais", "sino", "bensì", "mas sim", "maar", "а", "而是"}},
	// Corrections, in a sentence, take back what is before them.
	{corrections, []string{"no,", "no:", "no wait", "wait", "sorry", "oops", "scratch that", "make that", "correction", "i mean", "i meant", "or rather", "nein,", "non,", "no, espera", "нет,", "不对", "いや", "moment", "moment,", "warte", "attends", "attendez", "un instant", "espera", "aspetta", "wacht", "vänta", "vent", "počkej", "chwila", "czekaj", "подожди", "стоп", "待って", "等一下", "잠깐",
		"nee wacht", "nee,", "nei vent", "nej vänta", "nej vent", "ne,", "ne, čakaj", "nie,", "nu,", "ei,", "hayır", "tidak,", "không,", "ไม่ใช่", "না,", "नहीं,", "لا،", "نه،", "לא,", "όχι", "ні,", "не,"}},
	// contrasts begin what is said against something before it.
	{contrasts, []string{"but", "however", "yet", "though", "instead", "aber", "jedoch", "doch", "mais", "cependant", "pero", "sin embargo", "ma", "tuttavia", "mas", "porém", "maar", "но", "однако", "但", "但是", "しかし", "でも", "하지만"}},
	{orWords, []string{"or", "oder", "ou", "oppure", "или", "或", "或者", "还是", "または", "또는"}},
	{alternatives, []string{"either", "torn between", "choose between", "ya sea", "entweder", "one of the following", "one of these", "candidates", "possibilities", "options are", "could be any", "possible answers"}},
	{Examples, []string{"for example", "for instance", "like this", "e.g", "such as", "an example", "zum beispiel", "z.b", "par exemple", "por ejemplo", "比如", "例如", "suppose", "if the string were", "if the input were", "if it were", "imagine", "denote", "denoted", "let x", "let y", "let a", "let b", "let n", "let s", "sei a", "sei x", "soit x", "soit a", "sea x", "sea a", "设", "令"}},
	// copyings say that a text is to be given back as it is.
	{copyings, []string{"repeat", "repeated", "copy", "copied", "copying", "echo", "echoed", "reproduce", "transcribe", "output", "print", "return", "write out", "wiederholen", "kopieren", "abschreiben", "répéter", "recopier", "copier", "repetir", "copiar", "ripetere", "copiare", "herhalen", "kopiëren", "повторить", "скопировать", "重复", "复制", "繰り返", "コピー", "반복", "복사"}},
	// copyRequests, in a prompt, ask for a text as it is, and changeRequests for another one.
	{copyRequests, []string{"repeat", "copy", "reproduce", "transcribe", "once more", "again", "give it back", "back letter for letter", "back word for word", "back one by one", "back character for character", "wiederhole", "kopiere", "répète", "répétez", "recopie", "recopiez", "copie", "copiez", "repite", "repita", "copia", "ripeti", "repita", "copie", "herhaal", "kopieer", "повтори", "повторите", "скопируй", "скопируйте", "重复", "复制", "繰り返", "コピー", "반복", "복사"}},
	{changeRequests, []string{"reverse", "reversed", "backwards", "right to left", "edit", "edits", "replace", "remove", "delete", "insert", "upper case", "lower case", "uppercase", "lowercase", "sort", "translate", "translated", "count", "first", "last", "rückwärts", "umgekehrt", "à l'envers", "inverse", "inversez", "al revés", "invierte", "al contrario", "inverti", "inverta", "achterstevoren", "наоборот", "反转", "倒序", "逆", "거꾸로"}},
	// aboutAnswers head what is said about an answer that was given.
	{aboutAnswers, []string{"changes", "edits", "edits made", "explanation", "explanations", "note", "notes", "steps", "summary", "breakdown", "reasoning", "details", "modifications"}},
	{withdrawals, []string{"wait", "actually", "correction", "hold on", "oops", "my mistake", "my apologies", "apologies", "scratch that", "hmm", "no,", "no wait", "sorry,", "i made", "let me correct", "let me fix", "let me redo", "let me try again", "on second thought", "that's wrong", "that is wrong", "that's not right", "that's incorrect", "i apologize", "moment", "korrektur", "entschuldigung,", "pardon", "en fait", "espera", "corrección", "不对", "等等", "подождите", "edit:", "update:"}},
	{wrongs, []string{"wrong", "mistake", "incorrect", "an error", "not right", "isn't right", "not correct", "isn't correct", "redo", "try again", "falsch", "fehler", "faux", "erreur", "incorrecto", "错", "неверно", "disregard", "ignore that"}},
	{talkPhrases, []string{"answer is", "result is", "output is", "string is", "text is", "reversed:", "answer:", "result:", "output:", "here is", "here are", "below are", "here's", "here you go", "sure", "certainly", "i'm", "i am", "i can", "i cannot", "i can't", "sorry", "let me", "the reversed", "hier ist", "voici", "aquí", "reads:", "backwards:", "is:", "as an ai", "```"}},
	{listAnswers, []string{"merged", "merged list", "merging", "combined", "interleaved", "intersection", "difference", "common items", "common elements", "without duplicates", "unique items", "remaining items", "new list", "of both lists", "in both lists", "both lists have", "beider listen", "in beiden listen", "des deux listes", "dans les deux listes", "en ambas listas", "de ambas listas", "in entrambe le liste", "em ambas as listas"}},

	// listExamples begin a sentence about another list.
	{listExamples, []string{"example", "examples", "beispiel", "exemple", "ejemplo", "esempio", "exemplo", "例"}},

	// qualifierStarts come before a value that says which thing is meant.
	{qualifierStarts, []string{"in the", "in a", "in an", "of the", "of a", "of an", "from the", "from a", "from an", "by the", "by a", "by an", "with the", "with a", "with an", "on the", "on a", "on an", "at the"}},
	{justAnswer, []string{"answer", "should be"}},

	// speakers are the words by which a model speaks of itself or to a user.
	{speakers, []string{"i", "i'm", "i'll", "i've", "me", "my", "you", "your", "you're", "we", "our", "let's", "let", "here", "please", "sure", "sorry", "it tells", "it says", "it seems", "it means", "it describes", "it mentions", "it sounds"}},

	// clauseStarts begin a clause of a sentence, with a space behind them.
	{clauseStarts, []string{" but", " however,", " yet", " though", ";", ":", " aber", " jedoch", " mais", " pero", " sino", " ma", " bensì", " mas", " maar", " sondern", " но", ", а", "而是", " instead,", "; it's", " so"}},
}

// IsStopWord reports whether a word alone is talk, not an answer.
func IsStopWord(t string) bool {
	const longest = 64 // more bytes than any stop word has in capitals
	if t = strings.Trim(t, ".!¡:,*_`\"'#"); len(t) > longest {
		return false
	}
	switch strings.ToLower(t) {
	case "",
		"done", "answer", "result", "output", "sure", "certainly", "okay", "ok", "yes", "no", "here", "note", "explanation", "hello", "thanks", "string", "reversed", "correct", "incorrect", "below", "follows", "wrong", "right", "it", "this", "that", "unknown", "ready", "complete", "impossible", "simple", "solution", "final", "sorted", "above", "again", "you", "them", "itself", "backwards", "everything", "following", "true", "false", "none", "null", "undefined", "python", "text", "steps", "reasoning", "understood", "absolutely", "great", "unclear", "different", "same", "order", "palindrome", "as", "original", "input", "antwort", "ergebnis", "fertig", "réponse", "respuesta", "anything", "something", "nothing", "possible", "available", "required", "needed", "correctly", "claro", "natürlich", "gerne", "voilà":
		return true
	}
	return false
}

// talks reports whether a text in lower case reads as talk about an answer.
func talks(low string) bool {
	return HasPhrase(low, talkPhrases) || strings.Contains(low, ":\n")
}

// isWordRune reports whether r is a character of a word, in a script with spaces between words.
func isWordRune(r rune) bool {
	switch r {
	case '،', '؛', '؟', '٪', '٫', '٬', '۔', '।', '॥', '·': // marks of Arabic, Indic and Greek texts
		return false
	}
	return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' || '0' <= r && r <= '9' || r >= 0xc0 && r < 0x2000 && !southEast(r)
}
