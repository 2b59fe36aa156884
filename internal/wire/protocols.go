package wire

// Protocols lists the protocols. The first is that of addresses that name none.
func Protocols() []*Protocol {
	return []*Protocol{Chat(), Responses(), Anthropic(), Gemini(), Ollama()}
}

// Find returns the protocol of that name.
func Find(name string) (*Protocol, bool) {
	for _, p := range Protocols() {
		if p.Name == name {
			return p, true
		}
	}
	return nil, false
}

// Prefix returns the beginning of the protocol's addresses, such as "anthropic+". It is "" for
// the first protocol.
func (p *Protocol) Prefix() string {
	if p.Name == Protocols()[0].Name {
		return ""
	}
	return p.Name + "+"
}
