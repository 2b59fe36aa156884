package redact

import (
	"strings"

	"verbatim/internal/lazyregexp"
)

var (
	// secretFlag is a flag of a program that takes a secret, or a variable that is
	// set to one, with its value.
	secretFlag = lazyregexp.New(`(?i)(^|[\s"'])(--?[a-z0-9_-]*` + secretWords + `(?:=|\s+)|[a-z0-9_]*` + secretWords + `=)("[^"]*"|'[^']*'|[^\s"']+)`)
	// keyWord is a word that may be a key.
	keyWord = lazyregexp.New(`[A-Za-z0-9_.-]{16,}`)
	// addressWord is an address.
	addressWord = lazyregexp.New(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'\\<>]+`)
)

const secretWords = `(?:api[_-]?key|token|secret|password|passwd|authorization)`

// Command returns a command line as it may be saved and shown: without secrets of
// the environment, without the values of flags that take a secret, and without
// words that begin as providers' keys do.
func (r Redactor) Command(line string) string {
	return withoutKeys(secretFlag.ReplaceAllStringFunc(r.Text(line), func(s string) string {
		m := secretFlag.FindStringSubmatch(s)
		value := strings.Trim(m[3], `"'`)
		if len(value) < shortSecret || isPlaceholder(value) || strings.ContainsAny(value[:1], "-$") {
			return s
		}
		return m[1] + m[2] + "SECRET"
	}))
}

// Message returns a message as it may be shown: without secrets of the environment,
// without words that begin as providers' keys do, and without the passwords and the
// queries of addresses.
func (r Redactor) Message(s string) string {
	return addressWord.ReplaceAllStringFunc(withoutKeys(r.Text(s)), publicAddress)
}

// withoutKeys returns a text without words that begin as providers' keys do.
func withoutKeys(s string) string {
	return keyWord.ReplaceAllStringFunc(s, func(word string) string {
		if hasKeyPrefix(word) {
			return "SECRET"
		}
		return word
	})
}

// publicAddress returns an address, which need not be a valid one, with words in
// the places of its password and of the values of its query.
func publicAddress(address string) string {
	scheme, rest, _ := strings.Cut(address, "://")
	end := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		end = i
	}
	if at := strings.LastIndex(rest[:end], "@"); at >= 0 {
		user, _, found := strings.Cut(rest[:at], ":")
		if found {
			user += ":PASSWORD"
		} else {
			user = "USER"
		}
		rest = user + rest[at:]
	}
	before, query, found := strings.Cut(rest, "?")
	if !found || strings.Contains(before, "#") {
		return scheme + "://" + rest
	}
	query, fragment, named := strings.Cut(query, "#")
	pairs := strings.Split(query, "&")
	for i, pair := range pairs {
		if name, _, ok := strings.Cut(pair, "="); ok && !publicQuery[strings.ToLower(name)] {
			pairs[i] = name + "=VALUE"
		}
	}
	rest = before + "?" + strings.Join(pairs, "&")
	if named {
		rest += "#" + fragment
	}
	return scheme + "://" + rest
}
