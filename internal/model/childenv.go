package model

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"verbatim/internal/input"

	"verbatim/internal/redact"
)

// secretWord matches names of variables whose values are secrets, by a word between underscores.
var secretWord = regexp.MustCompile(`(?i)(^|_)([A-Z0-9]*(KEY|KEYS|TOKEN|TOKENS|SECRET|SECRETS|PASSWORD|PASSWORDS|PASSWD|PASSPHRASE|CREDENTIAL|CREDENTIALS|COOKIE|COOKIES|AUTH)|PASS|PAT|PWD|DSN)(_|$)`)

// workingFolders are variables that match secretWord and are not secrets.
var workingFolders = []string{"PWD", "OLDPWD"}

// isSecret reports whether a variable of the environment is a secret: by its name, because the
// configuration file takes a secret from it, or because its value is an address with a user.
func (o Options) isSecret(name, value string) bool {
	if slices.Contains(workingFolders, name) {
		return false
	}
	if name == anyKeyEnv || secretWord.MatchString(name) || slices.Contains(o.Config.secretVariables(), name) {
		return true
	}
	for _, p := range Providers() {
		if slices.Contains(p.KeyEnv, name) {
			return true
		}
	}
	u, err := url.Parse(strings.TrimSpace(value))
	return err == nil && u.User != nil
}

// childEnv returns the environment of a command: that of this process without its secrets, except
// for those in o.PassEnv.
func (o Options) childEnv() (env []string, err error) {
	missing := slices.Clone(o.PassEnv)
	for _, v := range o.environ() {
		name, value, _ := strings.Cut(v, "=")
		passed := slices.Contains(o.PassEnv, name)
		missing = slices.DeleteFunc(missing, func(m string) bool { return m == name })
		if passed || name == "" || !o.isSecret(name, value) {
			env = append(env, v)
		}
	}
	if len(missing) > 0 {
		return nil, &input.NameError{Name: "exec:", Reason: missing[0] + " is to be passed to the command, and is not set", Advice: "set it, or leave it out of --pass-env"}
	}
	return env, nil
}

// childSecrets returns the secrets that are removed from the replies of a command, also those that
// are not passed to it: it may be able to read the environment of this process.
func (o Options) childSecrets() *redact.Secrets {
	s := o.secrets()
	for _, v := range o.environ() {
		if name, value, _ := strings.Cut(v, "="); name != "" && o.isSecret(name, value) {
			s.AddVariable(name, value)
		}
	}
	return s
}
