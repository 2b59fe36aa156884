package model

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"
)

// Served is what a server says of the model that it serves.
type Served struct {
	Context *int64 // tokens that it takes in, the answer included; nil: it does not say
	Images  *bool  // whether it takes images; nil: it does not say
}

// complete takes from other what is not known yet.
func (s *Served) complete(other Served) {
	if s.Context == nil && other.Context != nil && *other.Context > 0 {
		s.Context = other.Context
	}
	if s.Images == nil {
		s.Images = other.Images
	}
}

// known reports whether nothing is left to ask.
func (s *Served) known() bool { return s.Context != nil && s.Images != nil }

// readLoaded reads the context that Ollama has loaded a model with. It is often shorter than
// the longest that the model was made for.
func readLoaded(body []byte, name string) (s Served) {
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
			s.complete(Served{Context: &m.Context})
		}
	}
	return s
}

// readServed reads what a list of models says of one of them.
func readServed(list []byte, name string) (s Served) {
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
			s.complete(Served{Context: &n})
		}
		sees := m.Type == "vlm" || slices.Contains(m.Architecture.Inputs, "image")
		if m.Type == "vlm" || m.Type == "llm" || len(m.Architecture.Inputs) > 0 {
			s.Images = &sees
		}
		break
	}
	return s
}

// readShow reads what Ollama says of a model: the context of its own settings,
// otherwise the longest that the model was made for.
func readShow(body []byte) (s Served) {
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
				s.complete(Served{Context: &n})
			}
		}
	}
	for name, value := range doc.Info {
		if n, err := strconv.ParseInt(string(value), 10, 64); err == nil && strings.HasSuffix(name, ".context_length") {
			s.complete(Served{Context: &n})
		}
	}
	if doc.Capabilities != nil {
		sees := slices.Contains(doc.Capabilities, "vision")
		s.Images = &sees
	}
	return s
}
