package redact

import (
	"regexp"
	"strings"
)

var (
	// secretFlag matches a flag for a secret, or the setting of a variable to one, with the value.
	secretFlag = regexp.MustCompile(`(?i)(^|[\s"'])(--?[a-z0-9_-]*` + secretWords + `(?:=|\s+)|[a-z0-9_]*` + secretWords + `=)("[^"]*"|'[^']*'|[^\s"']+)`)
	// keyWord matches words that may be keys.
	keyWord = regexp.MustCompile(`[A-Za-z0-9_.-]{16,}`)
	// addressWord matches addresses.
	addressWord = regexp.MustCompile(`[A-Za-z][A-Za-z0-9+.-]*://[^\s"'\\<>]+`)
)

const secretWords = `(?:api[_-]?key|token|secret|password|passwd|authorization)`

// Command returns a command line that is safe to save and to show. It is without the secrets of r, the
// values of flags for secrets, and words with a prefix of providers' keys.
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

// Message returns a message that is safe to show. It is without the secrets of r, words with a prefix of
// providers' keys, and the passwords and queries of addresses.
func (r Redactor) Message(s string) string {
	return addressWord.ReplaceAllStringFunc(withoutKeys(r.Text(s)), publicAddress)
}

// withoutKeys returns a text in which SECRET replaces words with a prefix of providers' keys.
func withoutKeys(s string) string {
	return keyWord.ReplaceAllStringFunc(s, func(word string) string {
		if hasKeyPrefix(word) {
			return "SECRET"
		}
		return word
	})
}

var (
	// userAndPassword matches the two before the host of an address, valid or not.
	userAndPassword = regexp.MustCompile(`://([^/?#:]*):[^/?#]*@`)
	onlyUser        = regexp.MustCompile(`://[^/?#:]*@`)
	queryValue      = regexp.MustCompile(`[?&][^=&]+=[^&]*`)
)

// publicAddress returns an address, valid or not, in which PASSWORD, USER and VALUE replace the password,
// a user without a password, and the values of the query.
func publicAddress(address string) string {
	address, fragment, named := strings.Cut(address, "#")
	address = onlyUser.ReplaceAllString(address, "://USER@")
	address = userAndPassword.ReplaceAllString(address, "://$1:PASSWORD@")
	if path, query, found := strings.Cut(address, "?"); found {
		address = path + queryValue.ReplaceAllStringFunc("?"+query, func(pair string) string {
			name, _, _ := strings.Cut(pair, "=")
			if publicQuery[strings.ToLower(name[1:])] {
				return pair
			}
			return name + "=VALUE"
		})
	}
	if named {
		address += "#" + fragment
	}
	return address
}
