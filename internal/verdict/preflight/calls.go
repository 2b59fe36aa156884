package preflight

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// MaxCalls is the largest number of calls of a test.
const MaxCalls = 30

// A Way is how a call reaches the endpoint.
type way int

// The ways.
const (
	asOpened way = iota
	Flipped      // streamed if the others are not, and the other way round
	renamed      // with a model name that no server has
)

// impossibleName is the model name of the calls that are Renamed.
const impossibleName = "verbatim-preflight-no-such-model"

// A Call is one request that the test may send.
type Call struct {
	Name     string
	Contract Contract
	Item     verbatim.Item
	Way      way

	limit int  // tokens of the answer
	whole bool // limit is for the whole reply, reasoning included
	// set sets the parameters of the contract, and returns false if the protocol lacks one of
	// them; nil: there are none.
	set   func(p *verbatim.Params, wire string) bool
	spare bool   // sent only if the test has not sent MaxCalls calls
	again bool   // sent only if a contract looks broken after one reply
	key   string // text that the judge of the contract looks for
}

// offered reports whether the protocol has the parameters that the call sets.
func (c *Call) offered(wire string) bool {
	var p verbatim.Params
	return c.set == nil || c.set(&p, wire)
}

// plain reports whether the contract of the call is about no parameter and no form of the request: if
// the call is refused, the prompt is.
func (c *Call) plain() bool {
	switch c.Contract {
	case Greedy, Usage, Unicode, Context:
		return c.Way == asOpened
	}
	return c.Name == "user"
}

// decides lists the contracts that the call is sent for.
func (c *Call) decides() []Contract {
	if c.Contract == TokenLimit {
		return []Contract{TokenLimit, Finish}
	}
	return []Contract{c.Contract}
}

// Token limits of replies.
const (
	shortReply = 24
	openReply  = 40
	countReply = 160
	tinyLimit  = 3
	// choiceLimit is the token limit of each of two choices.
	choiceLimit = 8
	// minResponsesLimit is the smallest token limit of the Responses API.
	minResponsesLimit = 16
)

// Calls returns the calls of a test in their order. They follow from the configuration
// alone.
func Calls(c Config) []Call {
	d := &drawer{Rand: draw.Rand("preflight", 1, c.Wire, c.Seed, 0)}
	wordList := fmt.Sprintf("Write a line of 20 random English words, separated by spaces. This is list number %d. Write only the words.", 1000+d.IntN(9000))
	var calls []Call
	add := func(call Call) {
		if call.Way == Flipped && !c.Streams || call.Way == renamed && !c.Renames {
			return
		}
		call.Item.ID = fmt.Sprintf("preflight@1/seed=%d/%s", c.Seed, call.Name)
		call.Item.Facts = map[string]string{verbatim.FactFamily: "preflight"}
		if call.Item.Want.Text == "" {
			call.Item.Want = verbatim.TextAnswer("-")
		}
		calls = append(calls, call)
	}
	for i := range 3 {
		add(Call{Name: fmt.Sprintf("greedy-%d", i+1), Contract: Greedy, Item: promptItem(wordList), limit: openReply})
	}
	d.addLimitAndStop(add, c.Wire)
	d.addSystem(add)
	d.addUsage(add)
	d.addUnicode(add)
	for i := range 3 {
		add(Call{Name: fmt.Sprintf("hot-%d", i+1), Contract: Temperature, Item: promptItem(wordList), limit: openReply, set: setTemperature})
	}
	for i := range 2 {
		add(Call{Name: fmt.Sprintf("seed-%d", i+1), Contract: Seed, Item: promptItem(wordList), limit: openReply, set: setSeed(int64(1 + d.IntN(1000)))})
	}
	calls[len(calls)-1].set = calls[len(calls)-2].set
	add(Call{Name: "flipped", Contract: Streaming, Item: promptItem(wordList), limit: openReply, Way: Flipped})
	add(Call{Name: "flipped-again", Contract: Streaming, Item: promptItem(wordList), limit: openReply, Way: Flipped, again: true})
	if c.Context > 0 {
		d.addContext(add, c.Context)
	}
	for _, name := range []string{"tokens-1", "tokens-2"} {
		temperature := 1.0
		if name == "tokens-2" {
			temperature = 0.1
		}
		add(Call{Name: name, Contract: Logprobs, Item: promptItem("Write one random English word."), limit: least(1, c.Wire), whole: true, set: setLogprobs(temperature)})
	}
	if c.Wire == "chat" {
		add(Call{Name: "choices", Contract: Usage, Item: countItem(201, 260), limit: choiceLimit, whole: true, set: setChoices, spare: true})
	}
	add(Call{Name: "name", Contract: modelName, Item: promptItem("Reply with the single word OK."), limit: shortReply, Way: renamed})
	add(Call{Name: "effort", Contract: Reasoning, Item: promptItem("What is 17 + 25? Reply with the number only."), limit: shortReply, set: setEffort})
	return sorted(calls)
}

// sorted moves the calls that may not be needed to the end: first the second calls, then the spare
// ones.
func sorted(calls []Call) []Call {
	group := func(c Call) int {
		switch {
		case c.again:
			return 1
		case c.spare:
			return 2
		}
		return 0
	}
	slices.SortStableFunc(calls, func(x, y Call) int { return group(x) - group(y) })
	return calls
}

// A drawer draws the prompts.
type drawer struct{ *rand.Rand }

// An adder adds a call to a test.
type adder func(Call)

// promptItem is an item whose prompt is a text of the user.
func promptItem(text string) verbatim.Item {
	return verbatim.Item{Prompt: verbatim.Prompt{message("user", text)}}
}

// message is a message of one text.
func message(role, text string) verbatim.Message {
	return verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}}
}

// gradedItem is an item with a right answer.
func gradedItem(text, want string) verbatim.Item {
	it := promptItem(text)
	it.Want = verbatim.TextAnswer(want)
	return it
}

// addLimitAndStop adds the calls of the token limit and the stop sequence. They ask for numbers in
// order, so that the right beginning of each length is known.
func (d *drawer) addLimitAndStop(add adder, wire string) {
	for i, name := range []string{"limit", "limit-again"} {
		from := 1 + 100*i
		add(Call{Name: name, Contract: TokenLimit, Item: countItem(from, from+59), limit: least(tinyLimit, wire), whole: true, again: i > 0})
	}
	for i, name := range []string{"stop", "stop-again"} {
		from := 1 + 100*i
		stop := fmt.Sprint(from + 11)
		add(Call{Name: name, Contract: Stop, Item: countItem(from, from+29), limit: countReply, set: setStop(stop), again: i > 0, key: stop})
	}
}

// least returns a token limit, or the smallest one of the protocol.
func least(limit int, wire string) int {
	if wire == "responses" {
		return max(limit, minResponsesLimit)
	}
	return limit
}

// countItem is an item whose answer is the numbers in an interval.
func countItem(from, to int) verbatim.Item {
	var b strings.Builder
	for i := from; i <= to; i++ {
		if i > from {
			b.WriteByte(' ')
		}
		fmt.Fprint(&b, i)
	}
	return gradedItem(fmt.Sprintf("Count from %d to %d. Write only the numbers, separated by spaces.", from, to), b.String())
}

// addSystem adds the calls of the system prompt: a demand by the system, and the same one by the user.
func (d *drawer) addSystem(add adder) {
	words := []string{"MAPLE", "COPPER", "LANTERN", "VELVET", "ORCHARD", "GRANITE"}
	first := d.IntN(len(words))
	const question = "What is the capital of France?"
	for i, name := range []string{"system", "user", "system-again"} {
		word := words[(first+i/2)%len(words)]
		demand := "Whatever the question is, reply with the single word " + word + " and nothing else."
		it := gradedItem(demand+"\n\n"+question, word)
		if name != "user" {
			it.Prompt = verbatim.Prompt{message("system", demand), message("user", question)}
		}
		add(Call{Name: name, Contract: System, Item: it, limit: shortReply, again: i == 2, key: word})
	}
}

// moreWords is the difference between the numbers of words of the longer and the shorter prompt.
const moreWords = 200

// addUsage adds the calls of the usage: two prompts that differ in a number of words.
func (d *drawer) addUsage(add adder) {
	for i, name := range []string{"usage-short", "usage-long", "usage-again"} {
		n := 8
		if i > 0 {
			n += moreWords
		}
		add(Call{Name: name, Contract: Usage, Item: gradedItem("Reply with the single word OK after these words: "+d.words(n)+".", "OK"), limit: shortReply, again: i == 2})
	}
}

// The text of the Unicode contract: é in both forms, an emoji, CJK, a zero-width space.
const unicodeText = "caf\u00e9 cafe\u0301 \U0001F600 \u6f22\u5b57 zero\u200bwidth"

// addUnicode adds the calls of the Unicode contract, one of them flipped.
func (d *drawer) addUnicode(add adder) {
	for i, name := range []string{"unicode", "unicode-flipped", "unicode-again"} {
		text := fmt.Sprintf("%s %d", unicodeText, 100+d.IntN(900))
		c := Call{Name: name, Contract: Unicode, Item: gradedItem("Copy this line exactly. Write nothing else.\n\n"+text, text), limit: 64, again: i == 2, key: text}
		if i == 1 {
			c.Way = Flipped
		}
		add(c)
	}
}

// contextShare is the share of the context that the long prompt fills.
const contextShare = 0.8

// addContext adds the calls of the context: a code at the start of a short prompt, and of a long one.
func (d *drawer) addContext(add adder, context int64) {
	long := int(contextShare*float64(context)) - 80
	for i, name := range []string{"needle-short", "needle-long", "needle-again"} {
		code := fmt.Sprintf("%d%d", 1+d.IntN(9), 100+d.IntN(900))
		n := 40
		if i > 0 {
			n = long
		}
		if n < 40 {
			return
		}
		it := gradedItem("The secret code is "+code+".\n\n"+d.words(n)+".\n\nWhat is the secret code? Reply with the code only.", code)
		add(Call{Name: name, Contract: Context, Item: it, limit: shortReply, again: i == 2, key: code})
	}
}

// words draws common words. Each is a token or more in every tokenizer.
func (d *drawer) words(n int) string {
	list := strings.Fields("time year people way day man thing woman life child world school state family student group country problem hand part " +
		"place case week company system program question work number night point home water room mother area money story fact month " +
		"lot right study book eye job word business issue side kind head house service friend father power hour game line end")
	drawn := make([]string, n)
	for i := range drawn {
		drawn[i] = list[d.IntN(len(list))]
	}
	return strings.Join(drawn, " ")
}

// setTemperature sets a high temperature, within the range of the protocol.
func setTemperature(p *verbatim.Params, wire string) bool {
	hot := 1.5
	if wire == "anthropic" {
		hot = 1
	}
	p.Temperature = &hot
	return true
}

// setSeed sets a seed and a high temperature.
func setSeed(seed int64) func(*verbatim.Params, string) bool {
	return func(p *verbatim.Params, wire string) bool {
		if wire == "responses" || wire == "anthropic" {
			return false
		}
		p.Seed = &seed
		return setTemperature(p, wire)
	}
}

// setLogprobs requests log probabilities at a temperature.
func setLogprobs(temperature float64) func(*verbatim.Params, string) bool {
	return func(p *verbatim.Params, wire string) bool {
		p.Logprobs, p.Temperature = alternatives, &temperature
		return wire != "anthropic"
	}
}

// setChoices sets the number of choices to two.
func setChoices(p *verbatim.Params, _ string) bool {
	cloneExtra(p)["n"] = json.RawMessage("2")
	return true
}

// cloneExtra gives the parameters an Extra of their own, and returns it.
func cloneExtra(p *verbatim.Params) map[string]json.RawMessage {
	if p.Extra = maps.Clone(p.Extra); p.Extra == nil {
		p.Extra = map[string]json.RawMessage{}
	}
	return p.Extra
}

// alternatives is the number of log probabilities per token that is requested.
const alternatives = 5

// setEffort sets a low reasoning effort.
func setEffort(p *verbatim.Params, _ string) bool {
	p.Effort = "low"
	return true
}

// setStop sets the stop sequence in the protocol's spelling.
func setStop(stop string) func(*verbatim.Params, string) bool {
	return func(p *verbatim.Params, wire string) bool {
		list, err := json.Marshal([]string{stop})
		if err != nil || wire == "responses" {
			return false
		}
		extra := cloneExtra(p)
		switch wire {
		case "anthropic":
			extra["stop_sequences"] = list
		case "gemini":
			extra["generationConfig"] = withMember(extra["generationConfig"], "stopSequences", list)
		case "ollama":
			extra["options"] = withMember(extra["options"], "stop", list)
		default:
			extra["stop"] = list
		}
		return true
	}
}

// withMember returns a JSON object with one more member; a text that is no object stays as it is.
func withMember(object json.RawMessage, name string, value json.RawMessage) json.RawMessage {
	members := map[string]json.RawMessage{}
	if len(object) > 0 && json.Unmarshal(object, &members) != nil {
		return object
	}
	members[name] = value
	out, err := json.Marshal(members)
	if err != nil {
		return object
	}
	return out
}
