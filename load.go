package verbatim

// A Load is the number of requests of a run that were in flight, and what its server allows.
type Load struct {
	Peak int `json:"peak"` // the largest number of requests in flight
	// Slots is the number of requests that the server runs at once, by its own report or as is usual
	// for it; 0: unknown.
	Slots int `json:"slots,omitempty"`
	// Context is the number of tokens that the model takes, prompt and answer together, by its server
	// or the configuration; 0: unknown.
	Context int64 `json:"context,omitempty"`
}
