package model

import (
	"verbatim/internal/redact"
)

// NewRedactor returns the Redactor of the secrets in the environment: of the providers, of the models
// of o.Config and of proxies.
func NewRedactor(o Options) redact.Redactor { return redact.New(o.secrets()) }

// secrets returns the secrets of the environment.
func (o Options) secrets() *redact.Secrets {
	s := &redact.Secrets{}
	addEnvironment(s, o)
	return s
}

// addEnvironment adds the secrets in the variables that the program knows: the keys of all providers,
// those of the user's file, and passwords of proxies. A server may repeat any of them, from an
// earlier request.
func addEnvironment(s *redact.Secrets, o Options) {
	s.Add(anyKeyEnv, o.getenv(anyKeyEnv))
	for _, p := range Providers() {
		for _, env := range p.KeyEnv {
			s.Add(env, o.getenv(env))
		}
	}
	for _, env := range []string{"HTTPS_PROXY", "https_proxy", "HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"} {
		s.AddAddress(env, o.getenv(env))
	}
	for _, env := range o.Config.secretVariables() {
		s.AddVariable(env, o.getenv(env))
	}
}
