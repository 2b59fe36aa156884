package evallog

import (
	"encoding/json"
	"math"
	"path"
	"strconv"
	"strings"
	"time"

	"verbatim/internal/exchange"
)

// These types have the parts of Inspect's log, version 2, that are read and written here, with
// Inspect's names. inspect_ai/log/_log.py has all of them, with their meanings.

// An inspectHead is a log without its samples.
type inspectHead struct {
	Version int             `json:"version"`
	Status  string          `json:"status"`
	Eval    inspectEval     `json:"eval"`
	Plan    inspectPlan     `json:"plan"`
	Results *inspectResults `json:"results,omitempty"`
	Stats   inspectStats    `json:"stats"`
}

type inspectEval struct {
	ID       string                     `json:"eval_id"`
	RunID    string                     `json:"run_id"`
	Created  string                     `json:"created"`
	Task     string                     `json:"task"`
	TaskID   string                     `json:"task_id"`
	Version  json.RawMessage            `json:"task_version,omitempty"`
	Dataset  inspectDataset             `json:"dataset"`
	Model    string                     `json:"model"`
	Config   inspectEvalConfig          `json:"config"`
	Generate inspectConfig              `json:"model_generate_config"`
	Packages map[string]string          `json:"packages"`
	Scorers  []inspectScorer            `json:"scorers,omitempty"`
	Metadata map[string]json.RawMessage `json:"metadata,omitempty"`
}

type inspectDataset struct {
	Name    string `json:"name,omitempty"`
	Samples int64  `json:"samples"`
}

type inspectEvalConfig struct {
	Epochs int64 `json:"epochs,omitempty"`
}

type inspectScorer struct {
	Name string `json:"name"`
}

type inspectPlan struct {
	Name   string          `json:"name"`
	Steps  []inspectStep   `json:"steps"`
	Config inspectConfig   `json:"config"`
	Finish json.RawMessage `json:"finish,omitempty"`
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
	Scored   int64                    `json:"scored_samples"`
	Unscored int64                    `json:"unscored_samples"`
	Metrics  map[string]inspectMetric `json:"metrics"`
}

type inspectMetric struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
}

type inspectStats struct {
	Started   string                  `json:"started_at"`
	Completed string                  `json:"completed_at"`
	Usage     map[string]inspectUsage `json:"model_usage,omitempty"`
}

// An inspectSample is a trial of an item.
type inspectSample struct {
	ID          json.RawMessage            `json:"id"` // a text or a whole number
	Epoch       int64                      `json:"epoch"`
	Input       json.RawMessage            `json:"input"` // a text or messages
	Choices     []string                   `json:"choices,omitempty"`
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
	Limit       *inspectLimit              `json:"limit,omitempty"`
}

// An inspectSummary is a sample in the list of Inspect's viewer.
type inspectSummary struct {
	ID        json.RawMessage            `json:"id"`
	Epoch     int64                      `json:"epoch"`
	Input     string                     `json:"input"`
	Target    json.RawMessage            `json:"target"`
	Metadata  map[string]json.RawMessage `json:"metadata"`
	Scores    map[string]inspectScore    `json:"scores"`
	Usage     map[string]inspectUsage    `json:"model_usage"`
	Started   string                     `json:"started_at,omitempty"`
	Completed string                     `json:"completed_at,omitempty"`
	Total     *float64                   `json:"total_time,omitempty"`
	Working   *float64                   `json:"working_time,omitempty"`
	Error     string                     `json:"error,omitempty"`
	Whole     bool                       `json:"completed"`
	Count     int                        `json:"message_count"`
}

type inspectMessage struct {
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
	Value       json.RawMessage            `json:"value"`
	Answer      string                     `json:"answer,omitempty"`
	Explanation string                     `json:"explanation,omitempty"`
	Metadata    map[string]json.RawMessage `json:"metadata,omitempty"`
}

type inspectError struct {
	Message   string `json:"message"`
	Traceback string `json:"traceback"`
	ANSI      string `json:"traceback_ansi"`
}

type inspectLimit struct {
	Type string `json:"type"`
}

// sampleID returns an item's id if it can be a part of a name in an archive. Otherwise it returns a
// digest: another name could lead out of the folder into which an archive is unpacked. The note has
// the id.
func sampleID(id string) string {
	if path.Clean("/" + id)[1:] == id && !strings.ContainsAny(id, "\\\x00") && len(id) <= 300 {
		return id
	}
	return "item-" + exchange.Digest(id)
}

// instant returns a time in Inspect's form; "" for the zero time.
func instant(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format("2006-01-02T15:04:05.999999+00:00")
}

// jsonNumber returns a number as JSON; null if JSON cannot hold it.
func jsonNumber(v float64) json.RawMessage {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return json.RawMessage("null")
	}
	return json.RawMessage(strconv.FormatFloat(v, 'g', -1, 64))
}
