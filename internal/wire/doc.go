// Package wire speaks the protocols of model servers: one file group per
// protocol, each with one function that sends a prompt and returns what came
// back, whole, or a *verbatim.Failure that says why nothing did.
//
// Start reading at Chat, the OpenAI-compatible chat completions (the others are
// Responses, Anthropic, Gemini and Ollama), and at
// Endpoint, which says where and how to ask. A protocol (protocol.go) is data and
// functions that know nothing of the network: how a request is written (body.go)
// and how an answer is read, from events or from a document, into an answer
// (answer.go) that is the same for all. A call (call.go) is one try at one
// request: it keeps the clock, the limits and the attempt. eventReader (sse.go)
// reads server-sent events, members (walk.go) walks JSON without decoding it;
// classify (failure.go) turns what a server says went wrong into one closed set
// of classes.
//
// A BatchAPI (batch.go) hands many requests over at once. It sends the same bodies
// and reads the answers by the same rules, so a protocol is written once.
//
// The functions take a prompt, never an item: the wanted answer cannot be sent
// by mistake. Nothing is retried here, with one exception that no server can
// notice: a kept connection that turns out to be dead is replaced (see call.post).
//
// An answer counts only when its end was seen. A stream that ends early, however
// politely, is a Failure of class Cut with the part that had arrived.
package wire
