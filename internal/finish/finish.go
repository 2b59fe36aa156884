// Package finish knows what the words mean by which servers say why a reply ended.
// It is one table for all wires, imports and reports: a word
// that means a failure in a live reply means a failure in an imported one.
//
// Start at Of. The sources of the words are in docs/finish-reasons.md.
package finish

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"verbatim"
)

// A Meaning is what a finish word says about a reply.
type Meaning int

// The meanings.
const (
	None    Meaning = iota // no word: the server gave no reason
	Unknown                // a word that is not in the table
	Stop                   // the reply is complete
	Length                 // the token limit or the context ended it
	Filter                 // a content filter ended it
	Refusal                // the model declined
	Tool                   // the model called a tool
	Other                  // the reply is complete for a reason of its own
	Failure                // the server failed: there is no reply to grade
)

// Of returns the meaning of a word. Letter case, separators, punctuation and invisible characters
// do not matter: MAX_TOKENS, max-tokens and maxTokens are one word. A word
// that is not in the table is a failure if it says that there was an error.
func Of(word string) Meaning {
	if meaning := exact(word); meaning != Unknown {
		return meaning
	}
	k := key(word)
	if k == "" && strings.Trim(word, "_-. ") != "" || len(word) > longestWord && !strings.HasPrefix(k, "error") {
		return Unknown
	}
	if meaning := exact(k); meaning != Unknown {
		return meaning
	}
	if rest := strings.TrimPrefix(k, "finishreason"); rest != "" { // a name from an enumeration
		k = rest
	}
	meaning := exact(k)
	if meaning == Unknown && saysError(k) {
		return Failure
	}
	return meaning
}

// saysError reports whether a key says that there was an error.
func saysError(k string) bool {
	if strings.HasPrefix(k, "error") {
		return true
	}
	ends := []string{"error", "exception", "failure", "failed", "timeout"}
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(k, end) })
}

// OfGemini is Of for Gemini's generateContent, where OTHER is documented as the reason of a
// generation that was stopped. In other protocols the word has no known meaning.
func OfGemini(word string) Meaning {
	if strings.EqualFold(word, "other") {
		return Failure
	}
	return Of(word)
}

// Finish returns the meaning as a verbatim.Finish: FinishOther for those that it does not have. A failure
// is not a reply, so the caller must test for it first.
func (m Meaning) Finish() verbatim.Finish {
	switch m {
	case None:
		return verbatim.FinishUnknown
	case Stop:
		return verbatim.FinishStop
	case Length:
		return verbatim.FinishLength
	case Filter:
		return verbatim.FinishFilter
	case Refusal:
		return verbatim.FinishRefusal
	}
	return verbatim.FinishOther
}

// longestWord is the number of bytes of a word that are read. The table has no longer word.
const longestWord = 64

// key returns the letters and digits of the first longestWord bytes of a word, in lower case.
func key(word string) string {
	var b strings.Builder
	for word = word[:min(len(word), longestWord)]; word != ""; {
		if n := escape(word); n > 0 {
			word = word[n:]
			continue
		}
		r, size := utf8.DecodeRuneInString(word)
		word = word[size:]
		if r != utf8.RuneError && (unicode.IsLetter(r) || unicode.IsDigit(r)) {
			b.WriteRune(unicode.ToLower(r))
		}
	}
	return b.String()
}

// escape returns the length of the escape that a word begins with; 0 without one. Invisible characters
// are saved as escapes such as \u200b.
func escape(word string) int {
	if len(word) < 2 || word[0] != '\\' {
		return 0
	}
	n := 0
	switch word[1] {
	case 'x':
		n = 4
	case 'u':
		n = 6
	case 'U':
		n = 10
	}
	if n > len(word) {
		return 0
	}
	return n
}

// exact is Of for a key. The table also has the most common spellings
// as they are, so that most replies need no key.
func exact(word string) Meaning {
	switch word {
	case "", "null", "none", "notfinished", "finishreasonunspecified":
		return None
	case "stop", "eos", "eostoken", "eosfound", "stopstringfound", "stopsequence", "endturn", "end_turn",
		"complete", "completed", "normal", "reasonstop", "finishreasonstop":
		return Stop
	case "length", "maxtokens", "max_tokens", "MAX_TOKENS", "modellength", "maxoutputtokens", "max_output_tokens",
		"modelcontextwindowexceeded", "continuation", "errorlimit", "tokenlimit", "limit", "maxlength",
		"maxpredictedtokensreached", "contextlengthreached", "reasonmaxlen", "reasonmaxcontext", "finishreasonmaxtokens":
		return Length
	case "contentfilter", "content_filter", "contentfiltered", "safety", "recitation", "prohibitedcontent", "blocklist", "spii",
		"imagesafety", "language", "imageprohibitedcontent", "imagerecitation", "modelarmor", "jailbreak",
		"guardrailintervened", "sensitive", "errortoxic":
		return Filter
	case "refusal":
		return Refusal
	case "toolcalls", "tool_calls", "toolcall", "functioncall", "tooluse", "tool_use", "reasontoolcalls":
		return Tool
	case "repetition":
		return Other
	case "error", "failed", "failure", "abort", "aborted", "networkerror", "timeout", "timelimit", "reasontimelimit",
		"cancelled", "canceled", "usercancel", "userstopped", "insufficientsystemresource", "modelunloaded",
		"load", "unload", "pauseturn", "compaction",
		"malformedfunctioncall", "malformedtoolcall", "malformedtooluse", "malformedresponse", "malformedmodeloutput",
		"unexpectedtoolcall", "toomanytoolcalls", "missingthoughtsignature", "imageother", "noimage":
		return Failure
	}
	return Unknown
}
