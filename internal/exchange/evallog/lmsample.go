package evallog

import (
	"encoding/json"

	"verbatim"
)

// An lmSample is a line of a file of samples, with lm-eval's names.
type lmSample struct {
	DocID     *int64                                `json:"doc_id"`
	Doc       json.RawMessage                       `json:"doc"`
	Target    json.RawMessage                       `json:"target"`
	Arguments map[string]map[string]json.RawMessage `json:"arguments"`
	Resps     json.RawMessage                       `json:"resps"`
	Filtered  json.RawMessage                       `json:"filtered_resps"`
	Filter    string                                `json:"filter"`
	Metrics   []string                              `json:"metrics"`
	DocHash   string                                `json:"doc_hash"`
	Prompt    string                                `json:"prompt_hash"`
	Hash      string                                `json:"target_hash"`
	Exact     *float64                              `json:"exact_match,omitempty"`
	Note      *recordNote                           `json:"verbatim,omitempty"`
	Grade     *verbatim.Grade                       `json:"verbatim_grade,omitempty"`
}
