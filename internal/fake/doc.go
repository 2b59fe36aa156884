// Package fake is a server that speaks the protocols of model servers and
// misbehaves on purpose: OpenAI's chat completions and responses, Anthropic's
// messages, Gemini's generateContent and Ollama's chat, streamed and in one
// piece, with their batches.
//
// Start at New, which makes an http.Handler of a Config. The answers are right
// ones made from items, spoilt ones, echoes, or those of a Model; faults are
// data, written as ParseFaults reads them; FaultKinds lists them. Counts tells a
// test what the server saw.
//
// What happens to a request is drawn from the seed, the prompt and how often this
// prompt was asked before, never from the clock or from the order in which
// requests arrive. Only faults that name a place ("the third request") and the
// limits of capacity depend on the order.
//
// A file for each protocol holds how it is read and written (chat.go,
// responses.go, anthropic.go, gemini.go, ollama.go); what they share is an ask, a
// reply and a script, which is the bytes to send and where to flush them.
package fake
