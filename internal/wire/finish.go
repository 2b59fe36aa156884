package wire

import (
	"strings"

	"verbatim"
)

// Finish translates a finish reason. The spellings are those of the protocols,
// and of servers that pass on what their engine says; case does not matter.
func Finish(raw string) verbatim.Finish {
	switch strings.ToLower(raw) {
	case "":
		return verbatim.FinishUnknown
	case "stop", "eos", "eos_token", "stop_sequence", "end_turn", "completed":
		return verbatim.FinishStop
	case "length", "max_tokens", "model_length", "max_output_tokens", "model_context_window_exceeded", "continuation":
		return verbatim.FinishLength
	case "content_filter", "safety", "recitation", "prohibited_content", "blocklist", "spii", "image_safety", "language",
		"image_prohibited_content", "image_recitation", "model_armor", "jailbreak":
		return verbatim.FinishFilter
	case "refusal":
		return verbatim.FinishRefusal
	}
	return verbatim.FinishOther
}
