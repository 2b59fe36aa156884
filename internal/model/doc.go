// Package model gets from a name to a model that can be asked. The names are
//
//	provider:model                    openai:gpt-5, llamacpp:qwen3; see Providers
//	wire+https://host/base#model      any server that speaks one of Wires; http://… alone is chat
//	exec:command                      a program that answers JSON lines; see Exec
//	nano                              the small language model that is part of this program
//	sim:kind?knob=value               the built-in simulated model; see Sim
//	a name without a colon            a model of the user's verbatim.toml; see ReadConfig
//
// Start reading at Open. A provider is a line in one table (provider.go), a
// protocol one in another (protocol.go); an opening (opening.go) gathers what is
// known of a model and makes an Opened of it. Discover finds model servers on this
// machine. What models cost is a table that scripts/prices writes (prices.go).
//
// Keys come from the environment only: the provider's own variable, the one that
// verbatim.toml names, or VERBATIM_API_KEY for addresses and local servers; they
// are neither stored nor shown.
package model
