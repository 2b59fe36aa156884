package redact

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"

	"verbatim"
	"verbatim/internal/wire/clean"
)

// A Redactor takes secrets out of what others say: servers and programs repeat
// what they were handed, now or earlier. It is applied where their words come in,
// before anything is graded, saved or shown.
//
// A secret is known by any 12 of its consecutive characters, in capitals or not,
// with white space, quotation marks, commas or invisible characters between them,
// escaped as in JSON, URLs or HTML, backwards, in hexadecimal, in base64; and where
// its middle is masked, by 8 at its ends. Its place is taken by verbatim.SecretMark
// and the name of its variable. Secrets of less than 16 characters are taken out
// of all but answers, and only as a whole. Placeholders are no secrets.
//
// The zero Redactor knows no secrets.
type Redactor struct {
	// A function, because reflection prints strings.
	indexes func() (answers, all *index)
}

func New(s *Secrets) Redactor {
	all := s.index(shortSecret)
	if all == nil {
		return Redactor{}
	}
	answers := all
	if slices.ContainsFunc(s.all, func(v secret) bool { return len(v.value) < longSecret }) {
		answers = s.index(longSecret)
	}
	return Redactor{func() (*index, *index) { return answers, all }}
}

// mark returns what replaces the secret of that name.
func mark(name string) string { return verbatim.SecretMark + name + ">" }

// Text returns a text of any kind but an answer without secrets.
func (r Redactor) Text(s string) string {
	if r.indexes == nil {
		return s
	}
	_, all := r.indexes()
	return all.replace(s, mark)
}

// Holds reports whether a text holds a secret.
func (r Redactor) Holds(s string) bool { return r.Text(s) != s }

// answer returns an answer, or a part of one, without secrets.
func (r Redactor) answer(s string) string {
	if r.indexes == nil {
		return s
	}
	answers, _ := r.indexes()
	if answers == nil {
		return s
	}
	return answers.replace(s, mark)
}

// object returns a JSON object without secrets. Where taking one out breaks it,
// nothing of it is left.
func (r Redactor) object(s string) string {
	clean := r.Text(s)
	if clean == s || json.Valid([]byte(clean)) {
		return clean
	}
	return `{"secret_removed":true}`
}

// A redactedError is an error whose words held a secret.
type redactedError struct {
	words string
	cause error
}

func (e redactedError) Error() string { return e.words }

// Is asks the cause, which is not handed out: it still has the secret.
func (e redactedError) Is(target error) bool { return errors.Is(e.cause, target) }

// Error returns err without secrets.
func (r Redactor) Error(err error) error {
	if r.indexes == nil || err == nil {
		return err
	}
	var f *verbatim.Failure
	if !errors.As(err, &f) {
		return r.cause(err)
	}
	clean := *f
	clean.Hint = r.Text(f.Hint)
	clean.Err = r.cause(f.Err)
	clean.Attempts = r.attempts(f.Attempts)
	return &clean
}

// cause returns an error whose words have no secrets.
func (r Redactor) cause(err error) error {
	if err == nil {
		return nil
	}
	if words := err.Error(); r.Holds(words) {
		return redactedError{r.Text(words), err}
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

// Reply takes the secrets out of a reply.
func (r Redactor) Reply(reply *verbatim.Reply) {
	if r.indexes == nil {
		return
	}
	for _, s := range []*string{&reply.Text, &reply.Reasoning} {
		*s = r.answer(*s)
	}
	for _, s := range []*string{&reply.RequestID, &reply.ServedModel, &reply.Fingerprint, &reply.FinishRaw, &reply.ReasoningField} {
		*s = r.Text(*s)
	}
	reply.Sent, reply.Applied = r.object(reply.Sent), r.object(reply.Applied)
	reply.Limits = r.limits(reply.Limits)
	reply.Attempts = r.attempts(reply.Attempts)
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

// ModelNames returns the names of models without those that hold a secret: such a one
// could neither be sent nor saved.
func (r Redactor) ModelNames(models, loaded []string, who string) ([]string, []string, error) {
	clean := slices.DeleteFunc(slices.Clone(models), r.Holds)
	if len(models) > 0 && len(clean) == 0 {
		_, err := r.ID("name of a model", models[0], who)
		return nil, nil, err
	}
	return clean, slices.DeleteFunc(loaded, r.Holds), nil
}

// ID returns a name that a server gives and that it is asked by later. It cannot be
// changed, and one with a secret in it must not be saved.
func (r Redactor) ID(what, id, who string) (string, error) {
	if !r.Holds(id) {
		return id, nil
	}
	return "", &verbatim.Failure{Class: verbatim.Content, Who: who, Err: fmt.Errorf("the server's %s holds a secret: %s", what, clean.Line(r.Text(id), 120)),
		Hint: "such a server must not be trusted: replace the key"}
}
