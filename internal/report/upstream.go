package report

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"verbatim"
)

// An Upstream is the answers of one of several servers that an endpoint passes requests to.
type Upstream struct {
	Name string `json:"name"`
	Line Line   `json:"line"`
}

// maxUpstreams is how many upstreams are counted separately.
const maxUpstreams = 64

// upstreams gathers records by the upstream that answered them.
type upstreams struct {
	by   map[string]*cell
	rest *cell // of the last names of the alphabet, if there are too many; nil: none

	applied, name string // of the record before
}

// UpstreamOf returns the server that wrote a reply, as the endpoint names it: OpenRouter's
// provider, or a header of a proxy. Otherwise it is the fingerprint of the model. "" is
// unknown.
func UpstreamOf(rec *verbatim.Record) string {
	if rec.Reply == nil {
		return ""
	}
	return cmp.Or(ReplyUpstream(rec.Reply), rec.Reply.Fingerprint)
}

// ReplyUpstream returns the server behind a router or a proxy, as a reply names it; "" if it
// does not.
func ReplyUpstream(r *verbatim.Reply) string { return readUpstream(r.Applied) }

// readUpstream finds the upstream in the settings that a server reports.
func readUpstream(applied string) string {
	if !strings.Contains(applied, `"provider"`) && !strings.Contains(applied, `"x-`) {
		return ""
	}
	var reported map[string]json.RawMessage
	if json.Unmarshal([]byte(applied), &reported) != nil {
		return ""
	}
	value := func(name string) (text string) {
		json.Unmarshal(reported[name], &text) // what is no text names no server
		return text
	}
	return cmp.Or(value("provider"), value("x-inference-provider"),
		liteLLMName(value("x-litellm-model-id"), value("x-litellm-model-api-base")),
		value("x-bifrost-provider"), value("x-portkey-last-used-option-index"))
}

// liteLLMName returns the name of a server behind LiteLLM. The id is the user's own, or a
// checksum of 64 digits: then the address is easier to read, and some of the checksum tells
// two models at one address apart.
func liteLLMName(id, address string) string {
	const checksum, enough = 64, 8
	if address != "" && len(id) == checksum && strings.Trim(id, "0123456789abcdef") == "" {
		return address + " " + id[:enough]
	}
	return cmp.Or(id, address)
}

func (u *upstreams) add(rec *verbatim.Record, m *entry) {
	if !m.answered || rec.Reply == nil {
		return
	}
	if u.applied != rec.Reply.Applied {
		u.applied, u.name = rec.Reply.Applied, readUpstream(rec.Reply.Applied)
	}
	if name := cmp.Or(u.name, rec.Reply.Fingerprint); name != "" {
		u.of(name).add(m)
	}
}

// of returns the cell of a name. Of too many names, the last of the alphabet share a cell, so
// that the order of the records changes nothing.
func (u *upstreams) of(name string) *cell {
	if at := u.by[name]; at != nil {
		return at
	}
	if u.by == nil {
		u.by = make(map[string]*cell)
	}
	at := new(cell)
	u.by[name] = at
	if len(u.by) <= maxUpstreams {
		return at
	}
	last := name
	for other := range u.by {
		last = max(last, other)
	}
	if u.rest == nil {
		u.rest = new(cell)
	}
	u.rest.merge(u.by[last])
	delete(u.by, last)
	if last == name {
		return u.rest
	}
	return at
}

func (u *upstreams) merge(o *upstreams) {
	for name, at := range o.by {
		u.of(name).merge(at)
	}
	if o.rest != nil {
		if u.rest == nil {
			u.rest = new(cell)
		}
		u.rest.merge(o.rest)
	}
}

// finish lists the upstreams by name; nil unless there are several.
func (u *upstreams) finish() []Upstream {
	if len(u.by) < 2 {
		return nil
	}
	var list []Upstream
	for name, at := range u.by {
		list = append(list, Upstream{name, at.finish(nil)})
	}
	slices.SortFunc(list, func(a, b Upstream) int { return cmp.Compare(a.Name, b.Name) })
	if u.rest != nil {
		list = append(list, Upstream{Others, u.rest.finish(nil)})
	}
	return list
}

// names lists all upstreams with their answers, those of a single one too.
func (u *upstreams) names() []Count {
	var list []Count
	for name, at := range u.by {
		_, answered := at.recorded()
		list = append(list, Count{name, answered})
	}
	commonest(list)
	return list
}

// listUpstreams lists the upstreams with their answers.
func listUpstreams(list []Upstream) string {
	counts := make([]Count, len(list))
	for i, u := range list {
		counts[i] = Count{u.Name, u.Line.Answered}
	}
	return ListSome(counts)
}

// pinWarnings warns of answers that came from elsewhere than the run asked for: a provider
// that provider.order or provider.only does not name, or another date of the model.
func pinWarnings(run *verbatim.Run, from, served []Count) []Warning {
	var w []Warning
	if strays := strayProviders(run.Params.Extra["provider"], from); len(strays) > 0 {
		w = append(w, Warning{"upstream_pin", "The run asked for certain providers, but others answered: " + ListCounts(strays) + ". The router did not obey; --group-by upstream tells them apart."})
	}
	if date := modelDate(run.Model); date != "" {
		var strays []Count
		for _, c := range served {
			if other := modelDate(c.Name); other != "" && other != date {
				strays = append(strays, c)
			}
		}
		if len(strays) > 0 {
			w = append(w, Warning{"model_pin", "The run asked for the model of one date, but the server names another: " + ListCounts(strays) + ". --group-by served tells them apart."})
		}
	}
	return w
}

// strayProviders returns the upstreams that the member provider of the requests excludes.
func strayProviders(sent json.RawMessage, from []Count) []Count {
	var pin struct{ Order, Only, Ignore []string }
	if len(sent) == 0 || json.Unmarshal(sent, &pin) != nil {
		return nil
	}
	var strays []Count
	for _, c := range from {
		allowed := pin.Only
		if len(allowed) == 0 {
			allowed = pin.Order
		}
		names := func(list []string) bool {
			return slices.ContainsFunc(list, func(name string) bool { return plainProvider(name) == plainProvider(c.Name) })
		}
		if len(allowed) > 0 && !names(allowed) || names(pin.Ignore) {
			strays = append(strays, c)
		}
	}
	return strays
}

// plainProvider reduces the spellings of one provider to one: requests say
// "deepinfra/turbo" where answers say "DeepInfra".
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
