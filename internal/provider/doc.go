// Package provider is the table of model providers. A new provider is one line in All:
//
//	p, ok := provider.Find("openai")
//	w, ok := wire.Find(p.Wire)
//
// It has names, addresses and differences between servers of one protocol. Package wire has the
// protocols and sends requests.
package provider
