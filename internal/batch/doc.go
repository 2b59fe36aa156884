// Package batch sends many requests at once, to be answered within a day at a lower price.
//
// An API is the batch API of a provider; For returns that of a protocol. Fits returns how many
// requests fit into one batch, Submit sends them, and Collect reads the state and the results. The
// bodies of the requests are those of package wire, and a result is read by the same rules as a
// reply to a single request.
//
// A batch is submitted under a key of the caller. If the caller is stopped before it has
// the provider's id of the batch, Find finds it by the key.
//
// Start reading at API (api.go). Each provider has a file: openai.go, anthropic.go and
// gemini.go.
package batch
