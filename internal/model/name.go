package model

import (
	"fmt"
	"strings"

	"verbatim/internal/input"
	"verbatim/internal/provider"
	"verbatim/internal/redact"
	"verbatim/internal/wire"
)

// forms are the ways to name a model, for hints.
const forms = "name it as provider:model, http://host:port/v1#model, exec:command, nano, sim:careful, or by its name in verbatim.toml"

// unknownName explains a name that no model has, with the nearest known one.
func unknownName(name string, o Options) error {
	e := &input.NameError{Name: redact.ModelName(name), Reason: "there is no model of this name", Advice: forms}
	if name == "" {
		e.Reason = "the name is empty"
		return e
	}
	scheme, rest, found := strings.Cut(name, ":")
	isPort := found && rest != "" && rest[0] >= '0' && rest[0] <= '9'
	if isPort || strings.ContainsAny(scheme, "./") {
		e.Advice = "an address starts with http://: write http://" + redact.ModelName(name)
		return e
	}
	if p, ok := provider.Find(scheme); ok && !found {
		e.Reason = "this names a provider and no model"
		e.Advice = "write " + p.Name + ":MODEL"
		return e
	}
	if !found {
		var own []string
		for _, m := range o.Config.Models() {
			own = append(own, m.Name)
		}
		if near := input.Nearest(name, own); near != "" {
			e.Advice = fmt.Sprintf("did you mean %s, of %s?", near, o.Config.Path)
			return e
		}
		if near := input.Nearest(strings.ToLower(name), []string{NanoName}); near != "" {
			e.Advice = fmt.Sprintf("did you mean %s, the model inside this program? Otherwise %s", near, forms)
			return e
		}
	}
	known := []string{"http", "https", "exec", "sim"}
	for _, p := range provider.All() {
		known = append(known, p.Name)
	}
	for _, p := range wire.Protocols() {
		known = append(known, p.Name+"+http", p.Name+"+https")
	}
	if near := input.Nearest(strings.ToLower(scheme), known); near != "" {
		e.Advice = fmt.Sprintf("did you mean %s:%s? Otherwise %s", near, wire.Clean(rest, 80), forms)
	}
	return e
}
