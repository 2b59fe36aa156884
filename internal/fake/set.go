package fake

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// A Contract is a contract that the server can break.
type Contract struct {
	Name string
	Doc  string // what a server that breaks it sends or ignores, a noun phrase
}

// Contracts returns all contracts.
func Contracts() []Contract {
	return []Contract{
		{"limit", "replies longer than the token limit"},
		{"finish", "the finish reason stop for each reply"},
		{"stop", "replies beyond the stop sequence"},
		{"temperature", "temperature 0 for each request"},
		{"system", "system prompts left out"},
		{"stream", "streamed replies without the character in their middle"},
		{"count", "streamed replies that count one completion token more"},
		{"choices", "one choice, however many are requested"},
		{"usage", "7 prompt tokens for each request"},
		{"unicode", "replies decoded in another encoding"},
		{"context", "prompts cut to their last 400 words"},
		{"logprobs", "no log probabilities"},
		{"arguments", "arguments of a tool decoded in another encoding"},
		{"sum", "probabilities of a place that sum to more than 1"},
		{"leak", "under load: the answer of the request before, in one reply of four"},
		{"garble", "under load: a replacement character, in one reply of four"},
		{"empty", "under load: no text, in one reply of four"},
		{"corrupt", "under load: a wrong character in each reply"},
	}
}

// A Set is the names of the contracts that a server breaks. The nil Set has none.
type ContractSet map[string]bool

// ParseContracts returns the Set of the names.
func ParseContracts(names []string) (ContractSet, error) {
	var known []string
	for _, c := range Contracts() {
		known = append(known, c.Name)
	}
	set := ContractSet{}
	for _, name := range names {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("%q is no contract: they are %s", name, strings.Join(known, ", "))
		}
		set[name] = true
	}
	return set, nil
}

// A Request has the parts of a request that a server may ignore.
type contractRequest struct {
	Prompt    verbatim.Prompt
	Params    verbatim.Params
	MaxTokens int
	Stop      []string
	Choices   int
}

// contractRequest returns the parts of a request that the server obeys.
func (s ContractSet) Request(r contractRequest) contractRequest {
	if s["limit"] {
		r.MaxTokens = 0
	}
	if s["choices"] {
		r.Choices = min(r.Choices, 1)
	}
	if s["stop"] {
		r.Stop = nil
	}
	if s["temperature"] {
		r.Params.Temperature = nil
	}
	if s["logprobs"] {
		r.Params.Logprobs = 0
	}
	if s["system"] {
		r.Prompt = slices.DeleteFunc(slices.Clone(r.Prompt), func(m verbatim.Message) bool { return m.Role == "system" })
	}
	if s["context"] {
		r.Prompt = lastWords(r.Prompt, 400)
	}
	return r
}

// lastWords returns a prompt with the last n words of each text.
func lastWords(p verbatim.Prompt, n int) verbatim.Prompt {
	p = slices.Clone(p)
	for i := range p {
		p[i].Content = slices.Clone(p[i].Content)
		for j := range p[i].Content {
			if fields := strings.Fields(p[i].Content[j].Text); len(fields) > n {
				p[i].Content[j].Text = strings.Join(fields[len(fields)-n:], " ")
			}
		}
	}
	return p
}

// A Reply has the parts of a reply that a server may change.
type contractReply struct {
	Text       string
	Finish     verbatim.Finish
	Prompt     int64 // tokens
	Completion int64 // tokens of the text
	Tokens     []verbatim.Token
	Call       bool // the text is the arguments of a tool
}

// A Load is the state of the server while it answers.
type contractLoad struct {
	InFlight int64  // the number of requests in flight, this one included
	Call     int64  // the position of the request, from 1
	Before   string // the newest reply to another request
}

// underLoad is the number of requests in flight from which a server is under load.
const underLoad = 4

// contractReply returns the reply that the server sends.
func (s ContractSet) Reply(r contractReply, streamed bool, load contractLoad) contractReply {
	if load.InFlight >= underLoad && (load.Call%4 == 0 || s["corrupt"]) {
		r.Text = s.spoil(r.Text, load.Before)
	}
	if s["stream"] && streamed {
		middle := middleOf(r.Text)
		_, n := utf8.DecodeRuneInString(r.Text[middle:])
		r.Text = r.Text[:middle] + r.Text[middle+n:]
	}
	if s["count"] && streamed {
		r.Completion++
	}
	if s["finish"] {
		r.Finish = verbatim.FinishStop
	}
	if s["usage"] {
		r.Prompt = 7
	}
	if s["unicode"] || s["arguments"] && r.Call {
		r.Text = latin1(r.Text)
	}
	if s["sum"] {
		r.Tokens = slices.Clone(r.Tokens)
		for i := range r.Tokens {
			top := slices.Clone(r.Tokens[i].Top)
			for j := range top {
				top[j].Logprob = -0.1
			}
			r.Tokens[i].Top = top
		}
	}
	return r
}

// spoil returns the text that is sent under load instead of text.
func (s ContractSet) spoil(text, before string) string {
	middle := middleOf(text)
	switch {
	case s["empty"]:
		return ""
	case s["leak"] && before != "":
		return before
	case s["garble"]:
		return text[:middle] + "\ufffd" + text[middle:]
	case s["corrupt"]:
		return text[:middle] + "~" + text[middle:]
	}
	return text
}

// middleOf returns the index of the character in the middle of a text.
func middleOf(text string) int {
	middle := len(text) / 2
	for middle > 0 && !utf8.RuneStart(text[middle]) {
		middle--
	}
	return middle
}

// latin1 returns the text that the bytes of a text are in Latin-1.
func latin1(text string) string {
	var b strings.Builder
	for i := range len(text) {
		b.WriteRune(rune(text[i]))
	}
	return b.String()
}
