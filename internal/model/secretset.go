package model

import (
	"net/url"
	"slices"
	"strings"
)

const (
	// longSecret is the length from which a value is looked for in answers.
	longSecret = 16
	// shortSecret is the length from which it is looked for in all else that a
	// server says. Shorter ones are words such as "none".
	shortSecret = 8
)

// A secretSet gathers secrets, each once, the first name first.
type secretSet struct{ all []namedSecret }

// add adds a value that is a secret.
func (s *secretSet) add(name, value string) {
	value = strings.TrimSpace(value)
	if len(value) < shortSecret || isPlaceholder(value) || slices.ContainsFunc(s.all, func(o namedSecret) bool { return o.value == value }) {
		return
	}
	s.all = append(s.all, namedSecret{name, value})
}

// address adds the password and the query of an address. One that cannot be read
// is a secret as a whole.
func (s *secretSet) address(name, address string) {
	if address == "" {
		return
	}
	u, err := url.Parse(address)
	if err != nil {
		s.add(name, address)
		return
	}
	if password, ok := u.User.Password(); ok {
		s.add(name, password)
	} else if u.User != nil {
		s.add(name, u.User.Username()) // some put a key there
	}
	for key, values := range u.Query() {
		if publicQuery[strings.ToLower(key)] {
			continue
		}
		for _, v := range values {
			s.add(name, v)
		}
	}
}

// publicQuery are the parameters of addresses that hold no secret.
var publicQuery = map[string]bool{"api-version": true, "api_version": true, "version": true, "alt": true, "model": true, "deployment": true, "engine": true,
	"region": true, "location": true, "project": true, "stream": true, "format": true}

// environment adds the secrets that the program knows variables for: all
// providers' keys, those of the user's file, and passwords of proxies. A server
// may have any of them from an earlier request.
func (s *secretSet) environment(o Options) {
	s.add(anyKeyEnv, o.getenv(anyKeyEnv))
	for _, p := range Providers() {
		for _, env := range p.KeyEnv {
			s.add(env, o.getenv(env))
		}
	}
	for _, env := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		s.address(env, o.getenv(env))
	}
	for _, env := range o.Config.secretEnvs() {
		s.variable(env, o.getenv(env))
	}
}

// variable adds the value of a variable: of an address its secret parts, otherwise
// all of it.
func (s *secretSet) variable(name, value string) {
	if u, err := url.Parse(strings.TrimSpace(value)); err == nil && u.Scheme != "" && u.Host != "" {
		s.address(name, value)
		return
	}
	s.add(name, value)
}

// index returns the index of the secrets of a length or longer.
func (s *secretSet) index(least int) *secretIndex {
	var long []namedSecret
	for _, v := range s.all {
		if len(v.value) >= least {
			long = append(long, v)
		}
	}
	return newSecretIndex(long)
}

// placeholderWords are what people write where a program demands a key and the
// server needs none.
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

// isPlaceholder reports whether a value opens nothing: it consists of words such
// as those of "sk-no-key-required", or of characters that count up or repeat.
func isPlaceholder(value string) bool {
	words := strings.FieldsFunc(strings.ToLower(value), func(r rune) bool { return strings.ContainsRune("-_ .:/<>[]{}()*", r) })
	if !slices.ContainsFunc(words, func(w string) bool {
		return !placeholderWords[w] && strings.Trim(w, "x") != "" && strings.Trim(w, "0") != ""
	}) {
		return true
	}
	return isPredictable(viewOf(value))
}
