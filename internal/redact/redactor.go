package redact

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/wire"
)

// A Redactor removes secrets from texts of servers and programs, which may repeat what they have
// received. It is applied to every text that arrives, before the text is graded, saved or shown.
//
// A secret is found as it is, in capitals, in small letters, escaped as in JSON, URLs, Python or HTML, in
// hexadecimal and in base64. If its middle is masked, 8 characters at its ends are enough, and 12 where a
// text begins or ends in the midst of it. It is replaced by verbatim.SecretMark and the name of its
// variable. Secrets of less than 16 characters are removed only as a whole, and not from answers.
// Placeholders are no secrets.
//
// The zero Redactor has no secrets.
type Redactor struct {
	// A function, because reflection prints strings.
	matchers func() (answers, all *matcher)
}

// New returns the Redactor of secrets.
func New(s *Secrets) Redactor {
	if len(s.all) == 0 {
		return Redactor{}
	}
	all := newMatcher(s.all)
	answers := all
	if long := slices.DeleteFunc(slices.Clone(s.all), func(v secret) bool { return len(v.value) < longSecret }); len(long) < len(s.all) {
		answers = newMatcher(long)
	}
	return Redactor{func() (*matcher, *matcher) { return answers, all }}
}

// mark returns the replacement of the secret of that name.
func mark(name string) string { return verbatim.SecretMark + name + ">" }

// Text returns a text without secrets. It is not for answers, which may have short secrets by chance.
func (r Redactor) Text(s string) string {
	if r.matchers == nil {
		return s
	}
	_, all := r.matchers()
	return all.replace(s)
}

// Holds reports whether a text has a secret.
func (r Redactor) Holds(s string) bool { return r.Text(s) != s }

// answer returns an answer, or a part of one, without secrets.
func (r Redactor) answer(s string) string {
	if r.matchers == nil {
		return s
	}
	answers, _ := r.matchers()
	return answers.replace(s)
}

// Partial returns the beginning of an answer without secrets, as far as no later piece can change it: a
// secret is within a word, so the last one is missing if there are secrets, unless b is over.
func (r Redactor) Partial(b []byte, over bool) []byte {
	switch {
	case r.matchers == nil:
		return b
	case !over:
		b = b[:bytes.LastIndexAny(b, " \t\r\n")+1]
	}
	return []byte(r.answer(string(b)))
}

// object returns a JSON object without secrets. If the removal makes it invalid, the whole object is
// replaced.
func (r Redactor) object(s string) string {
	clean := r.Text(s)
	if clean == s || json.Valid([]byte(clean)) {
		return clean
	}
	return `{"secret_removed":true}`
}

// A redactedError is an error from whose text a secret was removed.
type redactedError struct {
	text  string
	cause error
}

func (e redactedError) Error() string { return e.text }

// Is reports whether the cause is target. There is no Unwrap: the text of the cause has the secret.
func (e redactedError) Is(target error) bool { return errors.Is(e.cause, target) }

// Error returns err without secrets.
func (r Redactor) Error(err error) error {
	if r.matchers == nil || err == nil {
		return err
	}
	f, ok := errors.AsType[*verbatim.Failure](err)
	if !ok {
		return r.cause(err)
	}
	clean := *f
	clean.Hint = r.Text(f.Hint)
	clean.Err = r.cause(f.Err)
	clean.Attempts = r.attempts(f.Attempts)
	return &clean
}

// cause returns an error whose text has no secrets.
func (r Redactor) cause(err error) error {
	if err == nil {
		return nil
	}
	text := err.Error()
	if clean := r.Text(text); clean != text {
		return redactedError{clean, err}
	}
	return err
}

func (r Redactor) attempts(list []verbatim.Attempt) []verbatim.Attempt {
	for i := range list {
		a := list[i]
		a.Err, a.RequestID, a.Partial, a.Upstream = r.Text(a.Err), r.Text(a.RequestID), r.answer(a.Partial), r.Text(a.Upstream)
		if a != list[i] {
			list = slices.Clone(list)
			list[i] = a
		}
	}
	return list
}

// Reply removes the secrets from a reply.
func (r Redactor) Reply(reply *verbatim.Reply) {
	if r.matchers == nil {
		return
	}
	for _, s := range []*string{&reply.Text, &reply.Reasoning} {
		*s = r.answer(*s)
	}
	reply.Tokens = r.tokens(reply.Tokens)
	for _, s := range []*string{&reply.RequestID, &reply.ServedModel, &reply.Fingerprint, &reply.FinishRaw, &reply.ReasoningField} {
		*s = r.Text(*s)
	}
	reply.Sent, reply.Applied = r.object(reply.Sent), r.object(reply.Applied)
	reply.Limits = r.limits(reply.Limits)
	reply.Attempts = r.attempts(reply.Attempts)
}

// tokens returns the tokens of an answer, nil if they spell a secret, alone or together.
func (r Redactor) tokens(list []verbatim.Token) []verbatim.Token {
	var text strings.Builder
	for _, t := range list {
		text.WriteString(t.Text)
		for _, other := range t.Top {
			if r.answer(other.Text) != other.Text {
				return nil
			}
		}
	}
	if s := text.String(); r.answer(s) != s {
		return nil
	}
	return list
}

// limits returns headers without secrets in their names and values.
func (r Redactor) limits(all map[string]string) map[string]string {
	dirty := false
	for name, value := range all {
		dirty = dirty || r.Holds(name) || r.Holds(value)
	}
	if !dirty {
		return all
	}
	clean := make(map[string]string, len(all))
	for _, name := range slices.Sorted(maps.Keys(all)) {
		clean[r.Text(name)] = r.Text(all[name])
	}
	return clean
}

// ModelNames returns models and loaded without the names that have a secret: such a name can neither be
// sent nor saved. If all have one, it is an error. who is the endpoint.
func (r Redactor) ModelNames(models, loaded []string, who string) ([]string, []string, error) {
	clean := slices.DeleteFunc(slices.Clone(models), r.Holds)
	if len(models) > 0 && len(clean) == 0 {
		_, err := r.ID("name of a model", models[0], who)
		return nil, nil, err
	}
	return clean, slices.DeleteFunc(loaded, r.Holds), nil
}

// ID returns id, which a server has returned and expects in later requests. It cannot be changed, so one
// with a secret is an error. what says what it is, and who is the endpoint.
func (r Redactor) ID(what, id, who string) (string, error) {
	if !r.Holds(id) {
		return id, nil
	}
	return "", &verbatim.Failure{Class: verbatim.Content, Who: who, Err: fmt.Errorf("the server's %s has a secret in it: %s", what, wire.CleanLine(r.Text(id), 120)),
		Hint: "such a server must not be trusted: replace the key"}
}
