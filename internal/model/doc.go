// Package model opens a model by its name:
//
//	handle, err := model.Open(ctx, "openai:gpt-5", model.Options{})
//	err := handle.Model.Ask(ctx, request, &reply)
//	handle.Close()
//
// The names are
//
//	provider:model                    openai:gpt-5, llamacpp:qwen3; see Providers
//	wire+https://host/base#model      any server with one of the protocols; http://… alone is chat
//	exec:command                      a program that answers JSON lines; see CommandModel
//	nano                              the small language model that is part of this program
//	sim:kind?knob=value               a simulated model; see package sim
//	a name without a colon            a model of the user's verbatim.toml; see config.go
//
// Open (open.go) makes a target (target.go) of a name: what is known of a model behind a wire. The
// target makes the Handle. Discover finds model servers on this machine.
//
// Keys come only from the environment: the provider's own variable, the one that verbatim.toml
// names, or VERBATIM_API_KEY for addresses and local servers. They are neither saved nor shown:
// package redact removes them from replies and errors.
package model
