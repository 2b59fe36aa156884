package fake

// wires returns the wires that the server speaks, with their batch APIs; nil: none.
// Errors on unknown paths are those of the first.
func wires() []spokenWire {
	return []spokenWire{
		{chatWire(), openAIBatches()},
		{responsesWire(), nil},
		{anthropicWire(), anthropicBatches()},
		{geminiWire(), geminiBatches()},
		{ollamaWire(), nil},
	}
}

// A spokenWire is a wire with its batch API.
type spokenWire struct {
	*wire
	batches *batchAPI
}
