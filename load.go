package verbatim

// A Load is how much a run asked of its server at once, and what the server takes.
type Load struct {
	Peak int `json:"peak"` // the most requests that were in flight
	// Slots is how many requests the server runs at once, as it says or as is usual for it; 0: not
	// known.
	Slots int `json:"slots,omitempty"`
	// Context is how many tokens the model takes in, prompt and answer together, as its server or
	// the configuration says; 0: not known.
	Context int64 `json:"context,omitempty"`
}
