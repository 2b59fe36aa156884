package model

import (
	"context"
	"encoding/json"
	"io"
	"maps"
	"math"
	"net"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// served is what a server says of its model.
type served struct {
	Context *int64 // the tokens of prompt and answer together that it takes; nil: unknown
	Images  *bool  // whether it takes images; nil: unknown
	Ends    string // the day on which it is shut down, such as "2027-01-31"; "": unknown
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
			shutdown
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
		s.Ends = m.day()
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

// listWait is the time limit for the list of models of a server that is not near.
const listWait = 5 * time.Second

// askServed asks the server at e about its model: at /props of llama.cpp, in its list of models
// (vLLM, SGLang, llama.cpp, OpenRouter), in the list of LM Studio, and at /api/ps and /api/show of
// Ollama. It stops as soon as all is known. Servers that are neither on this machine nor in a private
// network are asked only for their list.
func askServed(ctx context.Context, p *wire.Protocol, e wire.Endpoint) (s served) {
	near := isNear(e.BaseURL)
	local, _ := findLocalProvider(e.BaseURL)
	list := e
	list.Total = listWait
	if near {
		list.Total = slotsWait
	}
	var sources []func() served
	if near && p.Name != "ollama" {
		sources = append(sources, func() served { return servedProps(ctx, e) })
	}
	listed := fetchServed(ctx, list, p.ModelsPath(e.BaseURL), readServed)
	s.Ends = listed.Ends
	sources = append(sources, func() served { return listed })
	if near {
		sources = append(sources, func() served { return fetchServed(ctx, atRoot(e), "/api/v0/models", readServed) })
	}
	if near && (p.Name == "ollama" || local.Name == "ollama") {
		sources = append(sources,
			func() served { return fetchServed(ctx, atRoot(e), "/api/ps", readLoaded) },
			func() served { return servedShow(ctx, e) })
	}
	for _, ask := range sources {
		if !s.known() {
			s.complete(ask())
		}
	}
	return s
}

// fetchServed returns what read finds about the model in the document at path.
func fetchServed(ctx context.Context, e wire.Endpoint, path string, read func(body []byte, model string) served) served {
	body, err := wire.GetJSON(ctx, e, path)
	if err != nil {
		return served{}
	}
	return read(body, e.Model)
}

// servedProps returns what llama.cpp says of a model at /props.
func servedProps(ctx context.Context, e wire.Endpoint) (s served) {
	if props, ok := askProps(ctx, e); ok {
		s.Context = &props.Defaults.Context
		if props.Modalities != nil {
			s.Images = &props.Modalities.Vision
		}
	}
	return s
}

// maxShow bounds Ollama's description of a model, in bytes: it has the licence and the template.
const maxShow = 8 << 20

// servedShow returns what Ollama says of a model at /api/show. On its usual port it serves other
// protocols too.
func servedShow(ctx context.Context, e wire.Endpoint) served {
	body := string(rawjson.AppendString([]byte(`{"model":`), e.Model)) + "}"
	shown, err := wire.Ollama().PostObject(ctx, atRoot(e), "/show", wire.Upload{MediaType: "application/json", Size: int64(len(body)), MaxReply: maxShow,
		Open: func() io.ReadCloser { return io.NopCloser(strings.NewReader(body)) }})
	if err != nil {
		return served{}
	}
	return readShow(shown)
}

// slotsWait is the time limit for questions about a server that is near.
const slotsWait = time.Second

// slots returns how many requests the server at e runs at once: by /props of llama.cpp, otherwise the
// usual number for its port; 0: unknown. Only servers on this machine and in private networks are
// asked.
func slots(ctx context.Context, e wire.Endpoint) int {
	if isNear(e.BaseURL) {
		if props, ok := askProps(ctx, e); ok && props.TotalSlots > 0 {
			return props.TotalSlots
		}
	}
	if p, ok := findLocalProvider(e.BaseURL); ok {
		return p.Slots
	}
	return 0
}

// props is the document at /props of llama.cpp.
type props struct {
	TotalSlots int `json:"total_slots"`
	Defaults   struct {
		Context int64 `json:"n_ctx"` // of one slot
	} `json:"default_generation_settings"`
	Modalities *struct{ Vision bool }
	Role       string // "router": it serves several models, each by a process of its own
}

// askProps asks a server for /props; false if it has none. A router is asked for those of the model,
// without loading it.
func askProps(ctx context.Context, e wire.Endpoint) (props, bool) {
	p, ok := readProps(ctx, e, "/props")
	if ok && p.Role == "router" && e.Model != "" {
		return readProps(ctx, e, "/props?model="+url.QueryEscape(e.Model)+"&autoload=false")
	}
	return p, ok
}

func readProps(ctx context.Context, e wire.Endpoint, path string) (p props, ok bool) {
	body, err := wire.GetJSON(ctx, atRoot(e), path)
	return p, err == nil && json.Unmarshal(body, &p) == nil
}

// atRoot returns the endpoint without the path of its base URL, with the time limit slotsWait.
func atRoot(e wire.Endpoint) wire.Endpoint {
	e.Total = slotsWait
	return withoutPath(e)
}

// withoutPath returns the endpoint without the path of its base URL. Others may serve what is outside
// that path, so no secret goes there: neither the key, nor headers of the user's, nor what else the
// address has.
func withoutPath(e wire.Endpoint) wire.Endpoint {
	u, err := url.Parse(e.BaseURL)
	if err != nil || strings.Trim(u.Path, "/") == "" {
		return e
	}
	e.BaseURL = (&url.URL{Scheme: u.Scheme, Host: u.Host}).String()
	e.Key, e.Headers = wire.Key{}, nil
	if secret, ok := e.Transport.(secretTransport); ok {
		e.Transport = secret.next
	}
	return e
}

// isNear reports whether an address is on this machine or in a private network.
func isNear(base string) bool {
	u, err := url.Parse(base)
	return err == nil && (isLoopback(base) || net.ParseIP(u.Hostname()).IsPrivate())
}

// maxMetrics is how many bytes of the page of metrics are read.
const maxMetrics = 4 << 20

// isWaitingMetric reports whether a metric is the number of requests in a server's queue. vLLM,
// SGLang, TGI, and llama.cpp with --metrics have one.
func isWaitingMetric(name string) bool {
	switch name {
	case "vllm:num_requests_waiting", "sglang:num_queue_reqs", "tgi_queue_size", "llamacpp:requests_deferred":
		return true
	}
	return false
}

// waiting returns how many requests wait in the queue of the server at e, by its metrics. ok is false
// if they do not have the number. Only servers on this machine and in private networks are asked.
func waiting(ctx context.Context, e wire.Endpoint) (n int, ok bool) {
	if !isNear(e.BaseURL) {
		return 0, false
	}
	page, err := wire.GetText(ctx, atRoot(e), "/metrics", maxMetrics)
	if err != nil {
		return 0, false
	}
	return readWaiting(string(page))
}

// readWaiting returns the sum of a gauge of waiting requests in the text format of Prometheus. It has a
// line for each engine: NAME{LABELS} VALUE [TIME].
func readWaiting(page string) (n int, ok bool) {
	total := 0.0
	for line := range strings.Lines(page) {
		end := strings.IndexAny(line, "{ ")
		if end < 0 || !isWaitingMetric(line[:end]) {
			continue
		}
		rest := line[end:]
		if rest[0] == '{' {
			rest = rest[strings.LastIndexByte(rest, '}')+1:]
		}
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		if v, err := strconv.ParseFloat(fields[0], 64); err == nil && v >= 0 && v < math.MaxInt32 {
			total, ok = total+v, true
		}
	}
	return int(min(total, math.MaxInt32)), ok
}
