package verbatim

// A Load is how much a run asked of its server at once.
type Load struct {
	Peak int `json:"peak"` // the most requests that were in flight
	// Slots is how many requests the server runs at once, as it says or as is usual for it; 0: not
	// known.
	Slots int `json:"slots,omitempty"`
}
