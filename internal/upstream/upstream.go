// Package upstream names the server behind a router or a proxy, as responses say it.
package upstream

import (
	"cmp"
	"encoding/json"
	"strings"
)

// Of finds the upstream in the settings that a server reports (verbatim.Reply.Applied), a JSON
// object; "" if they name none.
func Of(applied string) string {
	if !strings.Contains(applied, `"provider"`) && !strings.Contains(applied, `"x-`) {
		return ""
	}
	var reported map[string]json.RawMessage
	if json.Unmarshal([]byte(applied), &reported) != nil {
		return ""
	}
	value := func(name string) (text string) {
		json.Unmarshal(reported[name], &text) // another type than a text names no server
		return text
	}
	return cmp.Or(value("provider"), value("x-inference-provider"),
		liteLLMName(value("x-litellm-model-id"), value("x-litellm-model-api-base")),
		value("x-bifrost-provider"), value("x-portkey-last-used-option-index"))
}

// liteLLMName returns the name of a server behind LiteLLM. The id is chosen by the user, or is a
// checksum of 64 digits. The address is easier to read than a checksum, whose first digits
// distinguish models at one address.
func liteLLMName(id, address string) string {
	const checksum, enough = 64, 8
	if address != "" && len(id) == checksum && strings.Trim(id, "0123456789abcdef") == "" {
		return address + " " + id[:enough]
	}
	return cmp.Or(id, address)
}
