package smoke

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/jsonschema"
)

// A Phase is a part of the test.
type Phase string

// The phases, in their order.
const (
	Alone  Phase = "alone"  // one request in flight
	Loaded Phase = "loaded" // many in flight, of different lengths
	Prefix Phase = "prefix" // a long common prefix: cold, warm, and again after others
)

// A Call is one request of the test.
type Call struct {
	Phase Phase
	Item  verbatim.Item
	Nonce string
	// Pair is the index of the call that sends the same prompt alone; -1: there is no such call.
	Pair int
	// Structure is the tool whose arguments the answer is; nil: the answer is text.
	Structure *verbatim.Structure

	part part
}

// A part is a group of calls that may be in flight together. A part begins when the one before it has
// ended.
type part int

const (
	partAlone part = iota
	partLoaded
	partFirst  // the shared prefix: cold, warm
	partOthers // other prefixes
	partAgain  // the shared prefix
)

// inFlight returns the largest number of requests of a part that are in flight.
func (p part) inFlight() int {
	if p == partLoaded || p == partOthers {
		return maxInFlight
	}
	return 1
}

// The numbers of calls. Each call alone is made again under load, rounds times.
const (
	copies      = 12 // calls that copy a line of text
	echoes      = 4  // calls that copy an object, as the arguments of a tool
	rounds      = 3
	others      = 8 // prefixes between two calls with the same one
	maxInFlight = 16
)

// The bounds on the number of words before the line to copy. usualLength is for servers whose
// context is not known, and fits small ones. MostLength is some 1,500 tokens.
const (
	LeastLength = 32
	usualLength = 240
	MostLength  = 1400
	shortest    = 16
)

// LengthFor returns the number of words of the longest text for a context in tokens; 0: the context
// is not known. A word is at most 2 tokens in common tokenizers. The text takes three fifths of the
// context: the rest is for the reply and a chat template.
func LengthFor(context int64) int {
	if context <= 0 {
		return usualLength
	}
	return int(min(max(context*3/5/2, LeastLength), MostLength))
}

// drawCalls draws the calls of a test. longest is the number of words of the longest text. With tools,
// there are calls that copy objects.
func drawCalls(seed uint64, longest int, tools bool) []Call {
	d := &drawer{draw.Rand("smoke", 1, "", seed, 0)}
	var calls []Call
	for i := range copies {
		calls = append(calls, d.copyCall(Alone, i, d.words(lengthOf(i*7%copies, longest))))
	}
	if tools {
		own := &drawer{draw.Rand("smoke-tools", 1, "", seed, 0)}
		for i := range echoes {
			calls = append(calls, own.echoCall(copies+i))
		}
	}
	alone := len(calls)
	for round := range rounds {
		for i := range alone {
			again := calls[i]
			again.Phase, again.Pair, again.part = Loaded, i, partLoaded
			again.Item.ID = fmt.Sprintf("smoke@1/%s/%d", Loaded, round*alone+i)
			again.Item.Facts = map[string]string{verbatim.FactFamily: "smoke", "phase": string(Loaded)}
			calls = append(calls, again)
		}
	}
	shared := d.words(prefixWords(longest))
	before := []string{shared, shared}
	for range others {
		before = append(before, d.words(prefixWords(longest)))
	}
	for i, text := range append(before, shared, shared) {
		c := d.copyCall(Prefix, i, text)
		c.part = prefixPart(i)
		calls = append(calls, c)
	}
	return calls
}

// prefixWords returns the number of words of a prefix. Some hundred tokens fill several blocks of a
// cache; more would only take time.
func prefixWords(longest int) int { return max(longest/4, min(longest, 64)) }

// prefixPart returns the part of a call of the prefix phase.
func prefixPart(i int) part {
	switch {
	case i < 2:
		return partFirst
	case i < 2+others:
		return partOthers
	}
	return partAgain
}

// lengthOf returns the number of words of text i of copies, from shortest to longest. Each is longer
// than the one before by the same factor: so short and long texts meet under load, with few tokens.
func lengthOf(i, longest int) int {
	share := float64(i) / (copies - 1)
	return int(math.Round(shortest * math.Pow(float64(longest)/shortest, share)))
}

type drawer struct{ *rand.Rand }

// copyCall draws a call that asks for a copy of a line with a nonce, after other text.
func (d *drawer) copyCall(phase Phase, i int, before string) Call {
	nonce := fmt.Sprintf("%016x", d.Uint64())
	line := "code " + nonce
	text := "Notes: " + before + ".\n\nCopy the line exactly. Write nothing else.\n\n" + line
	return Call{Phase: phase, Nonce: nonce, Pair: -1, Item: verbatim.Item{
		ID:     fmt.Sprintf("smoke@1/%s/%d", phase, i),
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}},
		Want:   verbatim.TextAnswer(line),
		Facts:  map[string]string{verbatim.FactFamily: "smoke", "phase": string(phase)},
	}}
}

// echoCall draws a call that asks for a copy of an object, as the arguments of a tool.
func (d *drawer) echoCall(i int) Call {
	nonce := fmt.Sprintf("%016x", d.Uint64())
	object := draw.Arguments(d.Rand, nonce, commonWord)
	schema, ok := jsonschema.Of(object)
	if !ok {
		panic("smoke: an object without a schema: " + object)
	}
	text := "Call the tool with this object as its arguments. Copy the object exactly. Write nothing else.\n\n" + object
	return Call{Phase: Alone, Nonce: nonce, Pair: -1, Structure: &verbatim.Structure{As: verbatim.AsTool, Schema: schema}, Item: verbatim.Item{
		ID:     fmt.Sprintf("smoke@1/%s/%d", Alone, i),
		Prompt: verbatim.Prompt{{Role: "user", Content: []verbatim.Part{{Text: text}}}},
		Want:   verbatim.TextAnswer(object),
		Grader: "json",
		Facts:  map[string]string{verbatim.FactFamily: "smoke", "phase": string(Alone)},
	}}
}

// words draws common words.
func (d *drawer) words(n int) string {
	list := make([]string, n)
	for i := range list {
		list[i] = commonWord(d.Rand)
	}
	return strings.Join(list, " ")
}

func commonWord(r *rand.Rand) string {
	list := strings.Fields("river stone table green apple window paper cloud garden bridge silver candle forest market pencil harbor winter orange ladder velvet")
	return list[r.IntN(len(list))]
}
