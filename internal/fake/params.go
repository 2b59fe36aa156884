package fake

import (
	"bytes"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// A paramTable has the members of a request of a protocol, separated by spaces. A member of an object is
// written object.member. All others are parameters that only some models have.
type paramTable struct {
	takes  string // what the server obeys, and what has no effect on an answer
	forms  string // forms of the answer, such as a JSON Schema
	tools  string
	effort string // the reasoning effort
	budget string // the number of tokens for reasoning
}

// neutral are the values that request nothing.
var neutral = []string{`null`, `false`, `0`, `""`, `[]`, `{}`, `"none"`, `"disabled"`, `"enabled"`, `{"type":"text"}`, `"text/plain"`}

func isNeutral(value []byte) bool {
	var b bytes.Buffer
	return len(value) < 64 && json.Compact(&b, value) == nil && slices.Contains(neutral, b.String())
}

// further reads what a request asks of the model besides the prompt, the limits and sampling, and
// passes it on. A parameter that the model does not take is an error: a client must not believe that it
// has an effect.
func (c *Config) further(p *wire, q *request, body []byte) *apiError {
	var refused string
	rest := p.params.read(c, &q.params, "", body, &refused)
	if refused != "" {
		e := badRequest("Unsupported parameter: '"+refused+"' is not supported with this model.", refused)
		e.code = "unsupported_parameter"
		return e
	}
	if len(rest) > 0 {
		q.params.Extra = rest
	}
	return nil
}

// read returns the members of an object that only some models have. A member that the model does not
// take is named in refused, the first one. prefix is the path of the object.
func (t *paramTable) read(c *Config, to *verbatim.Params, prefix string, object []byte, refused *string) map[string]json.RawMessage {
	rest := map[string]json.RawMessage{}
	rawjson.Members(object, func(name, value []byte) {
		path := prefix + string(name)
		has := func(list string) bool {
			for member := range strings.FieldsSeq(list) {
				if member == path {
					return true
				}
			}
			return false
		}
		isForm, isTool := has(t.forms), has(t.tools)
		switch {
		case has(t.takes) || isNeutral(value):
		case value[0] == '{' && strings.Contains(" "+t.takes+" "+t.forms+" "+t.effort+" "+t.budget, " "+path+"."):
			if more := t.read(c, to, path+".", value, refused); len(more) > 0 {
				rest[string(name)], _ = json.Marshal(more) // of valid JSON
			}
		case (isForm || isTool) && !c.Plain && (c.Model == nil || !c.Params):
		case isForm && c.Plain, isTool, !c.Params:
			if *refused == "" {
				*refused = path
			}
		case path == t.effort:
			if to.Effort, _ = rawjson.Text(value); to.Effort == "" {
				to.Effort = string(value)
			}
		case path == t.budget:
			if n, err := strconv.ParseInt(string(value), 10, 64); err == nil {
				to.ReasoningBudget = &n
			}
		default:
			rest[string(name)] = slices.Clone(value)
		}
	})
	return rest
}
