package exchange

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"

	"verbatim"
)

// originInspect is the Origin of runs that come from logs of Inspect.
const originInspect = "inspect"

// These types have the parts of Inspect's log, version 2, that are read and written here, with
// Inspect's names. inspect_ai/log/_log.py has all of them, with their meanings.

// An inspectHead is a log without its samples.
type inspectHead struct {
	Version int             `json:"version"`
	Status  string          `json:"status"`
	Eval    inspectEval     `json:"eval"`
	Plan    inspectPlan     `json:"plan"`
	Results *inspectResults `json:"results,omitempty"`
	Stats   struct {
		Started   string `json:"started_at"`
		Completed string `json:"completed_at"`
	} `json:"stats"`
}

type inspectEval struct {
	ID      string `json:"eval_id"`
	RunID   string `json:"run_id"`
	Created string `json:"created"`
	Task    string `json:"task"`
	TaskID  string `json:"task_id"`
	Dataset struct {
		Name    string            `json:"name,omitempty"`
		Samples int64             `json:"samples"`              // of the data set, of which the evaluation may take a part
		IDs     []json.RawMessage `json:"sample_ids,omitempty"` // of that part
	} `json:"dataset"`
	Model  string `json:"model"`
	Config struct {
		Epochs int64           `json:"epochs,omitempty"`
		Limit  json.RawMessage `json:"limit,omitempty"` // a number of samples, or a range of them
	} `json:"config"`
	Generate inspectConfig              `json:"model_generate_config"`
	Packages map[string]string          `json:"packages"`
	Scorers  []inspectScorer            `json:"scorers,omitempty"`
	Metadata map[string]json.RawMessage `json:"metadata,omitempty"`
}

type inspectScorer struct {
	Name string `json:"name"`
}

type inspectPlan struct {
	Name   string        `json:"name"`
	Steps  []inspectStep `json:"steps"`
	Config inspectConfig `json:"config"`
}

type inspectStep struct {
	Solver string `json:"solver"`
}

// An inspectConfig has the parameters of requests.
type inspectConfig struct {
	MaxTokens       *int64   `json:"max_tokens,omitempty"`
	Temperature     *float64 `json:"temperature,omitempty"`
	TopP            *float64 `json:"top_p,omitempty"`
	Seed            *int64   `json:"seed,omitempty"`
	Effort          string   `json:"reasoning_effort,omitempty"`
	ReasoningTokens *int64   `json:"reasoning_tokens,omitempty"`
}

type inspectResults struct {
	Total     int64              `json:"total_samples"`
	Completed int64              `json:"completed_samples"`
	Scores    []inspectEvalScore `json:"scores"`
}

type inspectEvalScore struct {
	Name     string                   `json:"name"`
	Scorer   string                   `json:"scorer"`
	Scored   int                      `json:"scored_samples"`
	Unscored int                      `json:"unscored_samples"`
	Metrics  map[string]inspectMetric `json:"metrics"`
}

type inspectMetric struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

// An inspectSample is a trial of an item.
type inspectSample struct {
	ID          json.RawMessage            `json:"id"` // a text or a whole number
	Epoch       int64                      `json:"epoch"`
	Input       json.RawMessage            `json:"input"`  // a text or messages
	Target      json.RawMessage            `json:"target"` // a text or several
	Messages    []inspectMessage           `json:"messages"`
	Output      inspectOutput              `json:"output"`
	Scores      map[string]inspectScore    `json:"scores"`
	Metadata    map[string]json.RawMessage `json:"metadata"`
	Usage       map[string]inspectUsage    `json:"model_usage,omitempty"`
	Started     string                     `json:"started_at,omitempty"`
	Completed   string                     `json:"completed_at,omitempty"`
	Total       *float64                   `json:"total_time,omitempty"`
	Working     *float64                   `json:"working_time,omitempty"`
	Error       *inspectError              `json:"error,omitempty"`
	Attachments map[string]string          `json:"attachments,omitempty"`
	Invalid     json.RawMessage            `json:"invalidation,omitempty"` // who invalidated it, and why
	Events      inspectEvents              `json:"events,omitempty"`
	Limit       *struct {
		Type string `json:"type"`
	} `json:"limit,omitempty"`
}

// inspectEvents are written and not read. Inspect's messages_df takes the messages from them.
type inspectEvents []inspectEvent

func (*inspectEvents) UnmarshalJSON([]byte) error { return nil }

// An inspectEvent is the call of a model.
type inspectEvent struct {
	Event   string           `json:"event"`
	UUID    string           `json:"uuid"`
	Time    string           `json:"timestamp,omitempty"`
	Working float64          `json:"working_start"`
	Model   string           `json:"model"`
	Input   []inspectMessage `json:"input"`
	Tools   []struct{}       `json:"tools"`
	Choice  string           `json:"tool_choice"`
	Config  struct{}         `json:"config"`
	Output  inspectOutput    `json:"output"`
}

// An inspectSummary is a sample in the list of Inspect's viewer: without messages and output, and
// with its long values cut. The fields here replace those of the sample with the same name.
type inspectSummary struct {
	inspectSample
	Input    string    `json:"input"`
	Messages *struct{} `json:"messages,omitempty"`
	Output   *struct{} `json:"output,omitempty"`
	Events   *struct{} `json:"events,omitempty"`
	Error    string    `json:"error,omitempty"`
	Whole    bool      `json:"completed"`
	Count    int       `json:"message_count"`
}

type inspectMessage struct {
	ID      string          `json:"id,omitempty"`
	Role    string          `json:"role"`
	Content json.RawMessage `json:"content"` // a text or a list of parts
	Source  string          `json:"source,omitempty"`
	Model   string          `json:"model,omitempty"`
}

type inspectContent struct {
	Type      string `json:"type"`
	Text      string `json:"text,omitempty"`
	Image     string `json:"image,omitempty"` // a data URI, or another address
	Reasoning string `json:"reasoning,omitempty"`
	Redacted  bool   `json:"redacted,omitempty"`
}

type inspectOutput struct {
	Model      string          `json:"model"`
	Choices    []inspectChoice `json:"choices"`
	Completion string          `json:"completion"`
	Usage      *inspectUsage   `json:"usage,omitempty"`
	Time       *float64        `json:"time,omitempty"`
	ResponseID string          `json:"response_id,omitempty"`
}

type inspectChoice struct {
	Message inspectMessage `json:"message"`
	Stop    string         `json:"stop_reason"`
}

// An inspectUsage has numbers of tokens. Input leaves out cached ones.
type inspectUsage struct {
	Input      int64    `json:"input_tokens"`
	Output     int64    `json:"output_tokens"`
	Total      int64    `json:"total_tokens"`
	CacheWrite *int64   `json:"input_tokens_cache_write,omitempty"`
	CacheRead  *int64   `json:"input_tokens_cache_read,omitempty"`
	Reasoning  *int64   `json:"reasoning_tokens,omitempty"`
	Cost       *float64 `json:"total_cost,omitempty"`
}

type inspectScore struct {
	Value       json.RawMessage `json:"value"`
	Answer      string          `json:"answer,omitempty"`
	Explanation string          `json:"explanation,omitempty"`
}

type inspectError struct {
	Message   string `json:"message"`
	Traceback string `json:"traceback"`
	ANSI      string `json:"traceback_ansi"`
}

// A resolver is the attachments of a sample.
type resolver map[string]string

// text returns the text to which s refers; s itself if it is no reference.
func (r resolver) text(s string) string {
	if key, ok := strings.CutPrefix(s, "attachment://"); ok {
		if whole, ok := r[key]; ok {
			return whole
		}
	}
	return s
}

// messages returns a prompt as Inspect's messages, with images as data URIs. It appends the paths
// of images to images.
func messages(p verbatim.Prompt, images *[]string) []inspectMessage {
	out := make([]inspectMessage, 0, len(p))
	for _, m := range p {
		out = append(out, inspectMessage{Role: m.Role, Content: contents(m.Content, images), Source: "input"})
	}
	return out
}

func contents(parts []verbatim.Part, images *[]string) json.RawMessage {
	if len(parts) == 1 && parts[0].Image == nil {
		return marshalTexts(parts[0].Text)
	}
	list := make([]map[string]string, 0, len(parts)) // Inspect refuses parts without their text, even if it is empty
	for _, p := range parts {
		if m := p.Image; m != nil {
			*images = append(*images, m.Path)
			uri := "data:" + m.Media + ";base64," + base64.StdEncoding.EncodeToString(m.Bytes)
			list = append(list, map[string]string{"type": "image", "image": uri})
		} else {
			list = append(list, map[string]string{"type": "text", "text": p.Text})
		}
	}
	return marshalTexts(list)
}

// prompt returns messages as a prompt. A message with another role than system, user or assistant,
// such as the result of a tool, is an error. A part that is neither a text nor an image in the log
// becomes a text that says so. prompt removes the paths of images from paths, which may be too
// short.
func (r resolver) prompt(list []inspectMessage, paths *[]string) (verbatim.Prompt, error) {
	var out verbatim.Prompt
	for _, m := range list {
		if !isRole(m.Role) {
			return nil, fmt.Errorf("a message has the role %.40q", m.Role)
		}
		content, err := r.contents(m.Content)
		if err != nil {
			return nil, err
		}
		parts := make([]verbatim.Part, 0, len(content))
		for _, c := range content {
			switch image, ok := decodeURI(r.text(c.Image)); {
			case c.Type == "text":
				parts = append(parts, verbatim.Part{Text: r.text(c.Text)})
			case c.Type == "image" && ok:
				if len(*paths) > 0 {
					image.Path, *paths = (*paths)[0], (*paths)[1:]
				}
				parts = append(parts, verbatim.Part{Image: image})
			case c.Type == "reasoning":
			default:
				parts = append(parts, verbatim.Part{Text: fmt.Sprintf("[%.20s that the log does not hold]", c.Type)})
			}
		}
		out = append(out, verbatim.Message{Role: m.Role, Content: parts})
	}
	return out, nil
}

// isRole reports whether a prompt can have messages of the role.
func isRole(role string) bool { return role == "system" || role == "user" || role == "assistant" }

// contents returns the parts of a content, which is a text or a list of parts.
func (r resolver) contents(content json.RawMessage) ([]inspectContent, error) {
	var s string
	if json.Unmarshal(content, &s) == nil {
		return []inspectContent{{Type: "text", Text: s}}, nil
	}
	var list []inspectContent
	if err := json.Unmarshal(content, &list); err != nil {
		return nil, fmt.Errorf("content: want a text or a list of parts: %w", err)
	}
	return list, nil
}

// decodeURI returns the image of a data URI.
func decodeURI(s string) (*verbatim.Image, bool) {
	rest, ok := strings.CutPrefix(s, "data:")
	media, data, found := strings.Cut(rest, ";base64,")
	if !ok || !found || !strings.HasPrefix(media, "image/") {
		return nil, false
	}
	bytes, err := base64.StdEncoding.DecodeString(data)
	if err != nil || len(bytes) == 0 {
		return nil, false
	}
	return &verbatim.Image{Media: media, Bytes: bytes}, true
}
