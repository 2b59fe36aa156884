package wire

// Protocols lists the protocols. Addresses that name none are of the first.
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

// Prefix returns what addresses of the protocol begin with: "anthropic+", and nothing for
// the first protocol.
func (p *Protocol) Prefix() string {
	if p.Name == Protocols()[0].Name {
		return ""
	}
	return p.Name + "+"
}
