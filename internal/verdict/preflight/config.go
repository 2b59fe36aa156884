package preflight

import "verbatim"

// A Config is what is known of the endpoint, and how requests are sent.
type Config struct {
	Wire    string // the protocol, as package wire names it
	Streams bool   // the endpoint can be asked streamed and in one piece
	Renames bool   // the model name is ours to choose
	Context int64  // the context that the server states, in tokens; 0: not known
	Seed    uint64 // of the prompts
	// Params are sent with every call, and Reasoning tokens are added to its limit unless the
	// first reply shows no reasoning.
	Params    verbatim.Params
	Reasoning int
	// Upstream names the server behind a router, as a reply says it; nil: nothing does.
	Upstream func(*verbatim.Reply) string
}
