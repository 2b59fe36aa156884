package model

import (
	"regexp"
	"strings"
)

var (
	// secretFlag is a flag of a program that takes a secret, or a variable that is
	// set to one, with its value.
	secretFlag = regexp.MustCompile(`(?i)(^|[\s"'])(--?[a-z0-9_-]*` + secretWords + `(?:=|\s+)|[a-z0-9_]*` + secretWords + `=)("[^"]*"|'[^']*'|[^\s"']+)`)
	// keyWord is a word that may be a key.
	keyWord = regexp.MustCompile(`[A-Za-z0-9_.-]{16,}`)
)

const secretWords = `(?:api[_-]?key|token|secret|password|passwd|authorization)`

// Command returns a command line as it may be saved and shown: without secrets of
// the environment, without the values of flags that take a secret, and without
// words that begin as providers' keys do.
func (r Redactor) Command(line string) string {
	return r.Message(secretFlag.ReplaceAllStringFunc(line, func(s string) string {
		m := secretFlag.FindStringSubmatch(s)
		value := strings.Trim(m[3], `"'`)
		if len(value) < shortSecret || isPlaceholder(value) || strings.ContainsAny(value[:1], "-$") {
			return s
		}
		return m[1] + m[2] + "SECRET"
	}))
}

// Message returns a message as it may be shown: without secrets of the environment
// and without words that begin as providers' keys do.
func (r Redactor) Message(s string) string {
	return keyWord.ReplaceAllStringFunc(r.Text(s), func(word string) string {
		if isKeyLike(word) {
			return "SECRET"
		}
		return word
	})
}
