package model

import (
	"encoding/base64"
	"errors"
	"maps"
	"net/url"
	"slices"
	"strings"

	"verbatim"
)

// A word is a secret and what is shown in its place.
type word struct {
	env  string        // the variable that it comes from, or what it is
	text func() string // a function, because reflection prints strings
}

// shortestSecret is the length from which a value is looked for in the words of
// servers. Shorter ones are words such as "none".
const shortestSecret = 8

// A discretion takes secrets out of what servers say, for some repeat what they
// are sent: as it is, as it stands in a URL, or in base64.
type discretion struct{ words []word }

// discretion returns what is to be kept of the opening: its key, its secret
// headers, and what its address holds beside the place.
func (g *opening) discretion() discretion {
	var d discretion
	add := func(env, text string) {
		if len(text) < shortestSecret {
			return
		}
		for _, form := range []string{text, url.QueryEscape(text), url.PathEscape(text), base64.StdEncoding.EncodeToString([]byte(text)), base64.RawURLEncoding.EncodeToString([]byte(text))} {
			if !slices.ContainsFunc(d.words, func(w word) bool { return w.text() == form }) {
				d.words = append(d.words, word{env, func() string { return form }})
			}
		}
	}
	for _, w := range g.words {
		add(w.env, w.text())
	}
	for _, s := range g.secrets {
		add(s.env, s.value())
	}
	if u, err := url.Parse(g.e.BaseURL); err == nil {
		if password, ok := u.User.Password(); ok {
			add("password", password)
			add("password", u.User.Username()+":"+password)
		} else if u.User != nil {
			add("user", u.User.Username()) // some put a key there
			add("user", u.User.Username()+":")
		}
		for _, values := range u.Query() {
			for _, v := range values {
				add("query", v)
			}
		}
	}
	// Longer ones first: one may be a part of another.
	slices.SortStableFunc(d.words, func(a, b word) int { return len(b.text()) - len(a.text()) })
	return d
}

// text returns a text without secrets. Where it was cut inside of one, what there
// is of it goes too.
func (d discretion) text(s string) string {
	for _, w := range d.words {
		s = strings.ReplaceAll(s, w.text(), "["+w.env+"]")
	}
	head := strings.TrimSuffix(s, "…")
	for _, w := range d.words {
		for n := len(w.text()) - 1; n >= shortestSecret; n-- {
			if strings.HasSuffix(head, w.text()[:n]) {
				return head[:len(head)-n] + "[" + w.env + "]"
			}
		}
	}
	return s
}

// error returns err without secrets.
func (d discretion) error(err error) error {
	var f *verbatim.Failure
	if len(d.words) == 0 || !errors.As(err, &f) {
		return err
	}
	clean := *f
	clean.Hint = d.text(f.Hint)
	if f.Err != nil && d.text(f.Err.Error()) != f.Err.Error() {
		clean.Err = errors.New(d.text(f.Err.Error()))
	}
	clean.Attempts = d.attempts(f.Attempts)
	return &clean
}

func (d discretion) attempts(list []verbatim.Attempt) []verbatim.Attempt {
	list = slices.Clone(list)
	for i := range list {
		list[i].Err, list[i].RequestID = d.text(list[i].Err), d.text(list[i].RequestID)
	}
	return list
}

// reply takes secrets out of what stands beside an answer. The answer itself is
// what the model has written.
func (d discretion) reply(r verbatim.Reply) verbatim.Reply {
	if len(d.words) == 0 {
		return r
	}
	for _, s := range []*string{&r.RequestID, &r.ServedModel, &r.Fingerprint, &r.FinishRaw, &r.Applied} {
		*s = d.text(*s)
	}
	r.Attempts = d.attempts(r.Attempts)
	for name, value := range r.Limits {
		if clean := d.text(value); clean != value {
			r.Limits = maps.Clone(r.Limits)
			r.Limits[name] = clean
		}
	}
	return r
}
