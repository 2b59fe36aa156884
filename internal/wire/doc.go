// Package wire speaks the protocols of model servers: it sends a prompt and returns the
// reply, or a *verbatim.Failure with the reason.
//
//	p := wire.Chat()
//	err := p.Send(ctx, &wire.Endpoint{BaseURL: "http://127.0.0.1:8080/v1", Model: "m"}, request, &reply)
//
// Start reading at Protocol and Send (protocol.go) and at Chat, the OpenAI-compatible chat
// completions. Protocols lists all protocols; a new one is one file and one
// line in that list. An Endpoint is where a model is reached and how its server differs from
// others.
//
// A request passes these files:
//
//   - Protocol.Send is the whole way, from the prompt to the reply.
//   - The protocol's own file writes the body (body.go).
//   - call.go sends it: a call is one attempt, with its time limits and its record.
//   - read.go reads a stream or a document. Package rawjson walks JSON without
//     decoding it.
//   - The protocol's reader adds what arrives to a partialReply (reply.go), which is
//     the same for all protocols and becomes the reply.
//   - failure.go makes failures. classify returns the class of an error that a server reports.
//
// Package batch sends many of the same bodies at once and reads the results by the same rules
// (document.go).
//
// Send takes a prompt, never an item: the expected answer cannot be sent by mistake. Nothing
// is retried here, with one exception, which is recorded: an idle connection that the server
// has closed is replaced (see call.post).
//
// A reply counts only if its end was seen. A stream that ends early is a Failure of class
// Cut, with the text that had arrived.
package wire
