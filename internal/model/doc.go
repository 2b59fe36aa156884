// Package model gets from a name to a model that can be asked. The names are
//
//	provider:model                    openai:gpt-5, llamacpp:qwen3; see Providers
//	http://host:port/base#model       any OpenAI-compatible endpoint; also chat+http://…
//	exec:command                      a program that answers JSON lines; see Exec
//	sim:kind?knob=value               the built-in simulated model; see Sim
//
// Start reading at Open. A provider is a line in one table (provider.go). Discover
// finds model servers on this machine. Keys come from the environment only: the
// provider's own variable, or VERBATIM_API_KEY for addresses and local servers;
// they are neither stored nor shown.
package model
