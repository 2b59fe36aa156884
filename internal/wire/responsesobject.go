package wire

import (
	"encoding/json"

	"verbatim/internal/rawjson"
	"verbatim/internal/wire/logprob"
	"verbatim/internal/wire/quantity"
)

// document reads a response in one piece.
func (r *responsesReader) document(body []byte) error {
	failure, status := rawjson.Member(body, "error"), Word(rawjson.Member(body, "status"))
	if status == "" && !rawjson.IsSet(rawjson.Member(body, "output")) {
		if s := parseError(body, r.key, 2); rawjson.IsSet(failure) || s.message != "" {
			return s
		}
		return unreadableError{"the reply has no output"}
	}
	r.done = true
	if status == "completed" && !rawjson.Elements(rawjson.Member(body, "output"), func([]byte) {}) {
		return unreadableError{"the output of the reply is no list"}
	}
	return r.finishWith(status, body)
}

// finishWith adds a response whose status is final.
func (r *responsesReader) finishWith(status string, response []byte) error {
	r.addMetadata(response)
	r.status = status
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
			r.addApplied(string(n), v)
			if bound := quantity.OptionalCount(v); bound != nil && r.limit == 0 && string(n) == "max_output_tokens" {
				r.limit = *bound
			}
		}
	})
	if status == "failed" || rawjson.IsSet(failure) {
		s := parseError(failure, r.key, 1)
		if s.message == "" && s.code == "" {
			s.message = "the server gave the reply up: its status is failed"
		}
		return s
	}
	if err := r.addOutput(output); err != nil {
		return err
	}
	if status == "completed" || status == "incomplete" {
		r.finish, r.active = status, true
		r.setFinish(reason)
	}
	return nil
}

// addMetadata adds what a response says about itself, during the reply and at its end.
func (r *responsesReader) addMetadata(response []byte) {
	rawjson.Members(response, func(n, v []byte) {
		switch string(n) {
		case "id":
			setOnce(&r.id, v)
		case "model":
			setOnce(&r.model, v)
		case "usage":
			r.addUsage(v)
		}
	})
}

// addUsage adds token counts in the spelling of this API.
func (r *responsesReader) addUsage(raw json.RawMessage) {
	rawjson.Members(raw, func(n, v []byte) {
		switch string(n) {
		case "input_tokens":
			r.setCount(&r.usage.Prompt, v)
		case "output_tokens":
			r.setCount(&r.usage.Completion, v)
		case "input_tokens_details":
			r.setCount(&r.usage.Cached, rawjson.Member(v, "cached_tokens"))
		case "output_tokens_details":
			r.setCount(&r.usage.Reasoning, rawjson.Member(v, "reasoning_tokens"))
		case "cost":
			r.cost = quantity.Dollars(v)
		}
	})
}

// addOutput reads the output of a response. The text of a place counts only if a stream
// brought none for it.
func (r *responsesReader) addOutput(output []byte) (err error) {
	var had [len(r.hasDelta)]bool
	for place := range had {
		had[place] = len(*r.textAt(place)) > 0
	}
	had[placeText] = had[placeText] || had[placeRefusal]
	had[placeRefusal] = had[placeText]
	hadTokens := len(r.tokens) > 0
	add := func(place int, raw json.RawMessage) {
		if !had[place] && err == nil {
			err = r.add(place, raw)
		}
	}
	rawjson.Elements(output, func(item []byte) {
		kind := rawjson.Member(item, "type")
		r.noteToolCall(kind)
		if string(kind) == `"function_call"` && len(r.arguments) == 0 {
			r.addArguments(rawjson.Member(item, "arguments"))
		}
		if Word(kind) == "message" {
			r.checkRole(rawjson.Member(item, "role"))
		}
		content := rawjson.Member(item, "content")
		if rawjson.IsSet(content) && content[0] != '[' && !had[placeText] {
			r.setUnreadable("the content of a message is no list", content)
		}
		rawjson.Elements(rawjson.Member(item, "summary"), func(part []byte) { add(placeSummary, rawjson.Member(part, "text")) })
		rawjson.Elements(content, func(part []byte) {
			switch what := Word(rawjson.Member(part, "type")); {
			case what == "refusal":
				add(placeRefusal, rawjson.Member(part, "refusal"))
			case string(kind) == `"reasoning"`:
				add(placeReasoning, rawjson.Member(part, "text"))
			case what == "output_text" || what == "text" || what == "":
				if !hadTokens {
					r.addTokens(rawjson.Member(part, "logprobs"), logprob.Read)
				}
				add(placeText, rawjson.Member(part, "text"))
			default:
				r.noteUnknownPart(what, part)
			}
		})
	})
	return err
}
