package model

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// served is what a server says of its model.
type served struct {
	Context *int64 // the tokens of prompt and answer together that it takes; nil: unknown
	Images  *bool  // whether it takes images; nil: unknown
}

// complete sets the unknown fields to those of other.
func (s *served) complete(other served) {
	if s.Context == nil && other.Context != nil && *other.Context > 0 {
		s.Context = other.Context
	}
	if s.Images == nil {
		s.Images = other.Images
	}
}

// known reports whether all fields are known.
func (s *served) known() bool { return s.Context != nil && s.Images != nil }

// readLoaded reads the context with which Ollama has loaded a model. It is often shorter than the
// longest one of the model.
func readLoaded(body []byte, name string) (s served) {
	var doc struct {
		Models []struct {
			Name    string
			Context int64 `json:"context_length"`
		}
	}
	if json.Unmarshal(body, &doc) != nil {
		return s
	}
	for _, m := range doc.Models {
		if m.Name == name || m.Name == name+":latest" {
			s.complete(served{Context: &m.Context})
		}
	}
	return s
}

// readServed reads what a list of models says of the one with that name.
func readServed(list []byte, name string) (s served) {
	var doc struct {
		Data []struct {
			ID, Type    string
			Aliases     []string
			MaxModelLen int64 `json:"max_model_len"`         // vLLM, SGLang
			Loaded      int64 `json:"loaded_context_length"` // LM Studio
			Longest     int64 `json:"max_context_length"`    // LM Studio
			Listed      int64 `json:"context_length"`        // OpenRouter and many gateways
			Meta        struct {
				Context int64 `json:"n_ctx"` // llama.cpp
			}
			Architecture struct {
				Inputs []string `json:"input_modalities"` // llama.cpp, OpenRouter
			}
		}
	}
	if json.Unmarshal(list, &doc) != nil {
		return s
	}
	for _, m := range doc.Data {
		if m.ID != name && !slices.Contains(m.Aliases, name) && len(doc.Data) > 1 {
			continue
		}
		for _, n := range []int64{m.MaxModelLen, m.Loaded, m.Meta.Context, m.Listed, m.Longest} {
			s.complete(served{Context: &n})
		}
		if m.Type == "vlm" || m.Type == "llm" || len(m.Architecture.Inputs) > 0 {
			s.Images = new(m.Type == "vlm" || slices.Contains(m.Architecture.Inputs, "image"))
		}
		break
	}
	return s
}

// readShow reads what Ollama says of a model. The context is that of the model's settings, otherwise
// the longest one of the model.
func readShow(body []byte) (s served) {
	var doc struct {
		Parameters   string
		Info         map[string]json.RawMessage `json:"model_info"`
		Capabilities []string
	}
	if json.Unmarshal(body, &doc) != nil {
		return s
	}
	for line := range strings.Lines(doc.Parameters) {
		if f := strings.Fields(line); len(f) == 2 && f[0] == "num_ctx" {
			if n, err := strconv.ParseInt(f[1], 10, 64); err == nil {
				s.complete(served{Context: &n})
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(doc.Info)) {
		if n, err := strconv.ParseInt(string(doc.Info[name]), 10, 64); err == nil && strings.HasSuffix(name, ".context_length") {
			s.complete(served{Context: &n})
		}
	}
	if doc.Capabilities != nil {
		s.Images = new(slices.Contains(doc.Capabilities, "vision"))
	}
	return s
}
