// Package provider is the table of model providers. A new provider is one line in All:
//
//	p, ok := provider.Find("openai")
//	w, ok := wire.Find(p.Wire)
//
// The package knows names, addresses and differences; package wire knows the protocols and
// sends requests.
package provider
