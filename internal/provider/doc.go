// Package provider is the table of model providers and of the wires, the protocols
// that they speak. A new provider is one line in All, a new wire one line in Wires:
//
//	p, ok := provider.Find("openai")
//	w, ok := provider.FindWire(p.Wire)
//
// The package knows names, addresses and differences; package wire sends requests.
package provider
