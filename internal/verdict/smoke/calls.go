package smoke

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
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
	// Pair is the index of the call that asks the same alone; -1: none.
	Pair int
}

// The numbers of calls. Each alone call is made again under load, rounds times.
const (
	aloneCalls  = 12
	rounds      = 3
	others      = 8 // prefixes between two calls with the same one
	maxInFlight = 16
)

// shortest and longest are the bounds on the words of a prompt before the line to copy.
const (
	shortest = 16
	longest  = 240
)

// drawCalls draws the calls of a test.
func drawCalls(seed uint64) []Call {
	d := &drawer{draw.Rand("smoke", 1, "", seed, 0)}
	var calls []Call
	for i := range aloneCalls {
		words := shortest + (longest-shortest)*(i*7%aloneCalls)/(aloneCalls-1)
		calls = append(calls, d.copying(Alone, i, d.words(words)))
	}
	for round := range rounds {
		for i := range aloneCalls {
			again := calls[i]
			again.Phase, again.Pair = Loaded, i
			again.Item.ID = fmt.Sprintf("smoke@1/%s/%d", Loaded, round*aloneCalls+i)
			again.Item.Facts = map[string]string{verbatim.FactFamily: "smoke", "phase": string(Loaded)}
			calls = append(calls, again)
		}
	}
	shared := d.words(longest / 2)
	before := []string{shared, shared}
	for range others {
		before = append(before, d.words(longest/2))
	}
	for i, text := range append(before, shared, shared) {
		calls = append(calls, d.copying(Prefix, i, text))
	}
	return calls
}

type drawer struct{ *rand.Rand }

// copying draws a call that asks for a copy of a line with a nonce, behind other text.
func (d *drawer) copying(phase Phase, i int, before string) Call {
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

// words draws common words.
func (d *drawer) words(n int) string {
	list := strings.Fields("river stone table green apple window paper cloud garden bridge silver candle forest market pencil harbor winter orange ladder velvet")
	var b strings.Builder
	for i := range n {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(list[d.IntN(len(list))])
	}
	return b.String()
}
