// Package fake is a server that speaks the protocols of model servers and produces
// faults on purpose. It serves OpenAI's chat completions and responses, Anthropic's
// messages, Gemini's generateContent and Ollama's chat: streamed, in one piece and in
// batches. `verbatim fake` runs it; tests use it as an http.Handler:
//
//	server, err := fake.New(fake.Config{Item: fake.NewIndex(items...).Item})
//	http.ListenAndServe("127.0.0.1:8080", server)
//
// Answers are the right answers to items, wrong ones, echoes, or those of a Model. Faults are
// data: see Fault. Server.Counts tells a test what the server saw.
//
// What happens to a request is drawn from the seed, the prompt and the number of earlier
// requests with this prompt, never from the clock or the order of arrival. Only faults at a
// position ("the third request") and rate limits depend on the order.
//
// Each protocol is a wire in a file of its own, and one line in wires (server.go). A
// wire reads a request and writes a reply into a script: the bytes to send, in pieces. A
// delivery sends the script, with the faults that change how it is sent.
package fake
