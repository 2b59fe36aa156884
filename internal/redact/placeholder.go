package redact

import (
	"slices"
	"strings"
)

// placeholderWords are words of values that people set where a program requires a key and the server
// does not.
var placeholderWords = wordSet(`a an and any anything api apikey bar baz bearer changeme default dev development dummy empty example fake false foo for here
	insert is key keys litellm llama llamacpp lm lmstudio local localhost me mock my needed nil no nokey none not noop nothing null ollama openai password placeholder
	pk required secret server sglang sk some studio test testing text the this to token true undefined unknown unset unused used vllm xxx your cpp hunter2 abc 123`)

func wordSet(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}

// isPlaceholder reports whether a value is no real key: it consists of placeholderWords, such as
// "sk-no-key-required", or of characters that count up or repeat.
func isPlaceholder(value string) bool {
	value = strings.ToLower(value)
	words := strings.FieldsFunc(value, func(r rune) bool { return strings.ContainsRune("-_ .:/<>[]{}()*", r) })
	if !slices.ContainsFunc(words, func(w string) bool {
		return !placeholderWords[w] && strings.Trim(w, "x") != "" && strings.Trim(w, "0") != ""
	}) {
		return true
	}
	return isPredictable(value)
}
