package report

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"verbatim"
	"verbatim/internal/upstream"
)

// onlyFailed reports whether the upstream answered no request.
func (u *Upstream) onlyFailed() bool { return u.Line.Answered == 0 && u.Failed != nil }

// maxUpstreams is the number of upstreams that are counted separately.
const maxUpstreams = 64

// upstreams gathers records by the upstream that answered them.
type upstreams struct {
	byName[source, *source]
	unnamed bool // an answer names no upstream

	applied, name string // of the last reply: Applied, and the upstream in it
}

// A source is the answers of an upstream, and the attempts that failed there.
type source struct {
	cell
	failed upstream.Failed
}

func (s *source) merge(o *source) {
	s.cell.merge(&o.cell)
	s.failed.Merge(&o.failed)
}

// finish returns the Upstream of the source, under a name.
func (s *source) finish(name string) Upstream {
	u := Upstream{Name: name, Line: s.cell.finish(nil)}
	if s.failed.Attempts > 0 {
		u.Failed = &s.failed
	}
	return u
}

// upstreamOf returns the server that wrote the reply of a record, as ReplyUpstream does, otherwise
// the fingerprint of the model. Without a reply it is the server of the last attempt. "" is
// unknown.
func upstreamOf(rec *verbatim.Record) string {
	if rec.Reply == nil {
		if list := rec.Attempts(); len(list) > 0 {
			return list[len(list)-1].Upstream
		}
		return ""
	}
	return cmp.Or(ReplyUpstream(rec.Reply), rec.Reply.Fingerprint)
}

// ReplyUpstream returns the server behind a router or a proxy, as a reply names it: OpenRouter's
// provider, or a header of a proxy; "" if it names none.
func ReplyUpstream(r *verbatim.Reply) string { return upstream.Of(r.Applied) }

func (u *upstreams) add(rec *verbatim.Record, m *entry) {
	for name, failed := range upstream.FailedOf(rec) {
		u.of(name, maxUpstreams).failed.Merge(failed)
	}
	if !m.answered || rec.Reply == nil {
		return
	}
	if u.applied != rec.Reply.Applied {
		u.applied, u.name = rec.Reply.Applied, upstream.Of(rec.Reply.Applied)
	}
	if name := cmp.Or(u.name, rec.Reply.Fingerprint); name != "" {
		u.of(name, maxUpstreams).add(m)
	} else {
		u.unnamed = true
	}
}

func (u *upstreams) merge(o *upstreams) {
	u.unnamed = u.unnamed || o.unnamed
	u.byName.merge(&o.byName, maxUpstreams)
}

// finish lists the upstreams by name. It is nil for a single upstream, unless that only failed
// while an unnamed one answered.
func (u *upstreams) finish() []Upstream {
	var list []Upstream
	for name, at := range u.values {
		list = append(list, at.finish(name))
	}
	if len(list) == 1 && (!u.unnamed || !list[0].onlyFailed()) {
		return nil
	}
	slices.SortStableFunc(list, func(a, b Upstream) int { return cmp.Compare(a.Name, b.Name) })
	if u.rest != nil {
		list = append(list, u.rest.finish(Others))
	}
	return list
}

// names lists the upstreams that answered with their numbers of answers, also a single one.
func (u *upstreams) names() []Count {
	var list []Count
	for name, at := range u.values {
		if _, answered := at.recorded(); answered > 0 {
			list = append(list, Count{name, answered})
		}
	}
	sortCounts(list)
	return list
}

// upstreamWarnings warns of answers of several upstreams, and of upstreams that answered no request.
// byUpstream says that the groups of the report are upstreams.
func upstreamWarnings(list []Upstream, byUpstream bool) (w []Warning) {
	var answered []Count
	for i := range list {
		switch u := &list[i]; {
		case !u.onlyFailed():
			answered = append(answered, Count{u.Name, u.Line.Answered})
		case u.Name == upstream.Unnamed:
			w = append(w, Warning{"upstream_failed", fmt.Sprintf("The router does not say at which upstream %s. An upstream that always fails is in no share.", u.Failed.Words())})
		default:
			w = append(w, Warning{"upstream_failed", fmt.Sprintf("Upstream %s answered no request: %s. The shares say nothing about it.", u.Name, u.Failed.Words())})
		}
	}
	if len(answered) > 1 {
		advice := "--group-by upstream tells them apart."
		if byUpstream {
			advice = "The table of groups tells them apart."
		}
		pooled := fmt.Sprintf("The answers came from %d upstreams and are pooled here: %s. %s", len(answered), ListSome(answered), advice)
		w = append([]Warning{{"upstreams", pooled}}, w...)
	}
	return w
}

// pinWarnings warns of answers that are not from where the run asked for: from a provider that the
// parameter "provider" of its requests does not name, or from the model of another date.
func pinWarnings(run *verbatim.Run, from, served []Count) []Warning {
	var w []Warning
	var pin providerPin
	if sent := run.Params.Extra["provider"]; len(sent) > 0 && json.Unmarshal(sent, &pin) == nil {
		if strays := pin.strays(from); len(strays) > 0 {
			text := "The run asked for certain providers, but others answered: %s. The router did not obey; --group-by upstream tells them apart."
			if pin.isPreference() {
				text = "The run preferred certain providers, but others answered too: %s. With \"allow_fallbacks\": false the router uses no others; --group-by upstream tells them apart."
			}
			w = append(w, Warning{"upstream_pin", fmt.Sprintf(text, listCounts(strays))})
		}
	}
	if date := modelDate(run.Model); date != "" {
		var strays []Count
		for _, c := range served {
			if other := modelDate(c.Name); other != "" && other != date {
				strays = append(strays, c)
			}
		}
		if len(strays) > 0 {
			w = append(w, Warning{"model_pin", "The run asked for the model of one date, but the server names another: " + listCounts(strays) + ". --group-by served tells them apart."})
		}
	}
	return w
}

// A providerPin is the value of OpenRouter's parameter "provider".
type providerPin struct {
	Order, Only, Ignore []string
	AllowFallbacks      *bool `json:"allow_fallbacks"` // nil: true
}

// isPreference reports whether the router may use other providers than those of Order.
func (p *providerPin) isPreference() bool {
	return len(p.Only) == 0 && len(p.Ignore) == 0 && (p.AllowFallbacks == nil || *p.AllowFallbacks)
}

// strays returns the upstreams that the pin does not name, or that it excludes.
func (p *providerPin) strays(from []Count) []Count {
	allowed := p.Only
	if len(allowed) == 0 {
		allowed = p.Order
	}
	var strays []Count
	for _, c := range from {
		names := func(list []string) bool {
			return slices.ContainsFunc(list, func(name string) bool { return plainProvider(name) == plainProvider(c.Name) })
		}
		if len(allowed) > 0 && !names(allowed) || names(p.Ignore) {
			strays = append(strays, c)
		}
	}
	return strays
}

// plainProvider returns the letters and digits of a provider's name in lower case, without what
// follows a slash: requests say "deepinfra/turbo", answers "DeepInfra".
func plainProvider(name string) string {
	name, _, _ = strings.Cut(name, "/")
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, name)
}

// modelDate returns the date in the name of a model, as eight digits; "" for none.
func modelDate(name string) string {
	digits := strings.ReplaceAll(name, "-", "")
	for i := 0; i+8 <= len(digits); i++ {
		date := digits[i : i+8]
		isNumber := !strings.ContainsFunc(date, func(r rune) bool { return r < '0' || r > '9' })
		if isNumber && strings.HasPrefix(date, "20") && date[4:6] <= "12" && date[6:] <= "31" {
			return date
		}
	}
	return ""
}
