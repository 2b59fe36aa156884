package wire

import "encoding/json"

// document reads a response in one piece.
func (r *responsesReader) document(body []byte) error {
	failure, status := member(body, "error"), name(member(body, "status"))
	if status == "" && !isSet(member(body, "output")) {
		if s := parseError(body, r.key, 2); isSet(failure) || s.message != "" {
			return s
		}
		return unreadableError{"the answer has no output"}
	}
	r.done = true
	if status == "completed" && !elements(member(body, "output"), func([]byte) {}) {
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
	members(response, func(n, v []byte) {
		switch string(n) {
		case "error":
			failure = v
		case "incomplete_details":
			reason = member(v, "reason")
		case "output":
			output = v
		case "temperature", "top_p", "max_output_tokens", "reasoning", "service_tier", "truncation":
			r.apply(string(n), v)
			if bound := count(v); bound != nil && r.limit == 0 && string(n) == "max_output_tokens" {
				r.limit = *bound
			}
		}
	})
	if status == "failed" || isSet(failure) {
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
	members(response, func(n, v []byte) {
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
	members(raw, func(n, v []byte) {
		switch string(n) {
		case "input_tokens":
			r.counted(&r.usage.Prompt, v)
		case "output_tokens":
			r.counted(&r.usage.Completion, v)
		case "input_tokens_details":
			r.counted(&r.usage.Cached, member(v, "cached_tokens"))
		case "output_tokens_details":
			r.counted(&r.usage.Reasoning, member(v, "reasoning_tokens"))
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
	elements(output, func(item []byte) {
		kind := member(item, "type")
		r.called(kind)
		if name(kind) == "message" {
			r.heed(member(item, "role"))
		}
		content := member(item, "content")
		if isSet(content) && content[0] != '[' && !had[saidText] {
			r.fault("the content of a message is no list", content)
		}
		elements(member(item, "summary"), func(part []byte) { add(saidSummary, member(part, "text")) })
		elements(content, func(part []byte) {
			switch what := name(member(part, "type")); {
			case what == "refusal":
				add(saidRefusal, member(part, "refusal"))
			case string(kind) == `"reasoning"`:
				add(saidReasoning, member(part, "text"))
			case what == "output_text" || what == "text" || what == "":
				add(saidText, member(part, "text"))
			default:
				r.skip(what, part)
			}
		})
	})
	return err
}
