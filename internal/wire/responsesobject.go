package wire

import (
	"encoding/json"

	"verbatim/internal/rawjson"
)

// document reads a response in one piece.
func (r *responsesReader) document(body []byte) error {
	failure, status := rawjson.Member(body, "error"), Word(rawjson.Member(body, "status"))
	if status == "" && !rawjson.IsSet(rawjson.Member(body, "output")) {
		if s := parseError(body, r.key, 2); rawjson.IsSet(failure) || s.message != "" {
			return s
		}
		return unreadableError{"the answer has no output"}
	}
	r.done = true
	if status == "completed" && !rawjson.Elements(rawjson.Member(body, "output"), func([]byte) {}) {
		return unreadableError{"the output of the answer is no list"}
	}
	return r.close(status, body)
}

// close takes a response whose status is final.
func (r *responsesReader) close(status string, response []byte) error {
	r.tell(response)
	r.state = status
	var output []byte
	var failure, reason json.RawMessage
	rawjson.Members(response, func(n, v []byte) {
		switch string(n) {
		case "error":
			failure = v
		case "incomplete_details":
			reason = rawjson.Member(v, "reason")
		case "output":
			output = v
		case "temperature", "top_p", "max_output_tokens", "reasoning", "service_tier", "truncation":
			r.apply(string(n), v)
			if bound := count(v); bound != nil && r.limit == 0 && string(n) == "max_output_tokens" {
				r.limit = *bound
			}
		}
	})
	if status == "failed" || rawjson.IsSet(failure) {
		s := parseError(failure, r.key, 1)
		if s.message == "" && s.code == "" {
			s.message = "the server gave the answer up: its status is failed"
		}
		return s
	}
	if err := r.read(output); err != nil {
		return err
	}
	if status == "completed" || status == "incomplete" {
		r.finish, r.news = status, true
		r.end(reason)
	}
	return nil
}

// tell takes what a response says of itself while it is made and at its end.
func (r *responsesReader) tell(response []byte) {
	rawjson.Members(response, func(n, v []byte) {
		switch string(n) {
		case "id":
			keep(&r.id, v)
		case "model":
			keep(&r.model, v)
		case "usage":
			r.takeTokens(v)
		}
	})
}

// takeTokens lays a report of token counts in the spelling of this API over an
// earlier one.
func (r *responsesReader) takeTokens(raw json.RawMessage) {
	rawjson.Members(raw, func(n, v []byte) {
		switch string(n) {
		case "input_tokens":
			r.counted(&r.usage.Prompt, v)
		case "output_tokens":
			r.counted(&r.usage.Completion, v)
		case "input_tokens_details":
			r.counted(&r.usage.Cached, rawjson.Member(v, "cached_tokens"))
		case "output_tokens_details":
			r.counted(&r.usage.Reasoning, rawjson.Member(v, "reasoning_tokens"))
		case "cost":
			r.cost = dollars(v)
		}
	})
}

// read reads the output of a response, each kind of words only where none of it
// has come in a stream.
func (r *responsesReader) read(output []byte) (err error) {
	var had [len(r.begun)]bool
	for said := range had {
		had[said] = len(*r.place(said)) > 0
	}
	had[saidText] = had[saidText] || had[saidRefusal]
	had[saidRefusal] = had[saidText]
	add := func(said int, raw json.RawMessage) {
		if !had[said] && err == nil {
			err = r.add(said, raw)
		}
	}
	rawjson.Elements(output, func(item []byte) {
		kind := rawjson.Member(item, "type")
		r.called(kind)
		if Word(kind) == "message" {
			r.heed(rawjson.Member(item, "role"))
		}
		content := rawjson.Member(item, "content")
		if rawjson.IsSet(content) && content[0] != '[' && !had[saidText] {
			r.fault("the content of a message is no list", content)
		}
		rawjson.Elements(rawjson.Member(item, "summary"), func(part []byte) { add(saidSummary, rawjson.Member(part, "text")) })
		rawjson.Elements(content, func(part []byte) {
			switch what := Word(rawjson.Member(part, "type")); {
			case what == "refusal":
				add(saidRefusal, rawjson.Member(part, "refusal"))
			case string(kind) == `"reasoning"`:
				add(saidReasoning, rawjson.Member(part, "text"))
			case what == "output_text" || what == "text" || what == "":
				add(saidText, rawjson.Member(part, "text"))
			default:
				r.skip(what, part)
			}
		})
	})
	return err
}
