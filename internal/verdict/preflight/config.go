package preflight

import "verbatim"

// A Config is what is known of the endpoint, and how requests are sent.
type Config struct {
	// Only names the contracts that are tested; nil: all. The other calls are not sent.
	Only    []Contract
	Wire    string // the protocol, as package wire names it
	Streams bool   // the endpoint can be asked streamed and in one piece
	Renames bool   // the model name can be chosen freely
	Context int64  // the context that the server states, in tokens; 0: not known
	Seed    uint64 // of the prompts
	// Params are sent with every call. Reasoning tokens are added to the token limit of the first
	// call, and to those of the others once a reply has shown reasoning.
	Params    verbatim.Params
	Reasoning int
	// Upstream names the server behind a router, as a reply says it; nil: it is not looked for.
	Upstream func(*verbatim.Reply) string
}
