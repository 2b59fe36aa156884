package report

import (
	"encoding/json"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/terminal"
)

// ParameterText returns the parameters in words, or "the model's defaults" if none was sent.
func ParameterText(p verbatim.Params) string {
	parts := ParameterList(p)
	if p.ReasoningTokens > 0 && p.ReasoningTokens != usualReasoning {
		parts = append(parts, "reasoning tokens "+strconv.Itoa(p.ReasoningTokens))
	}
	return terminal.Visible(strings.Join(ParametersOrDefaults(parts), ", "))
}

// usualReasoning is the allowance for reasoning that a command without flags sends.
const usualReasoning = 16_384

// ParametersOrDefaults returns the parameters, or "the model's defaults" if there are none.
func ParametersOrDefaults(parameters []string) []string {
	if len(parameters) == 0 {
		return []string{"the model's defaults"}
	}
	return parameters
}

// ParameterList returns the parameters that were sent in addition to the prompt, one text for each. The
// tokens allowed for reasoning are left out: they are a part of the token limit.
func ParameterList(p verbatim.Params) []string {
	var parts []string
	if p.Temperature != nil {
		parts = append(parts, "temperature "+strconv.FormatFloat(*p.Temperature, 'g', -1, 64))
	}
	if p.TopP != nil {
		parts = append(parts, "top_p "+strconv.FormatFloat(*p.TopP, 'g', -1, 64))
	}
	if p.Seed != nil {
		parts = append(parts, "seed "+strconv.FormatInt(*p.Seed, 10))
	}
	if p.Effort != "" {
		parts = append(parts, "effort "+p.Effort)
	}
	if p.ReasoningBudget != nil {
		parts = append(parts, "reasoning budget "+strconv.FormatInt(*p.ReasoningBudget, 10))
	}
	if p.MaxTokens > 0 {
		parts = append(parts, "at most "+strconv.Itoa(p.MaxTokens)+" tokens")
	}
	if p.Logprobs > 0 {
		parts = append(parts, "log probabilities of "+strconv.Itoa(p.Logprobs)+" tokens")
	}
	if p.SystemAs != "" {
		parts = append(parts, "system text in the first "+p.SystemAs+" message")
	}
	if len(p.Extra) > 0 {
		if extra, err := json.Marshal(p.Extra); err == nil { // keys in order
			parts = append(parts, string(extra))
		}
	}
	return parts
}
