package model

import (
	"context"

	"verbatim"
	"verbatim/internal/config"
)

// A Handle is an opened model.
type Handle struct {
	// Model also is a verbatim.Batcher where the protocol has batches.
	Model verbatim.Model
	// Name is the canonical name: the same model has the same name however it was
	// spelled. It holds no secrets.
	Name      string
	Note      string // what a person should be told of it first; "" for nothing
	Simulated bool   // its answers are made up from the right ones
	BuiltIn   bool   // it is a part of this program: simulated, or nano
	// Price is nil where it is not known. Its Source says where it is from, and up
	// to which length of the prompt it holds where that matters.
	Price   *verbatim.Price
	Context *int64 // tokens that it takes in, its answer included; nil: not known
	// MaxOutput is the largest number of output tokens, and Reasons says whether it reasons
	// without being asked to, both as the table of prices says. Nil: not known.
	MaxOutput *int64
	Reasons   *bool
	Images    *bool // whether it takes images; nil: not known
	// Served asks the server what it says of the model; what the user's file says counts for
	// more. Nil: no server can be asked.
	Served func(context.Context) Served
	// Count counts the tokens of a prompt as the model does; nil where that is known
	// only once it has answered.
	Count  func(verbatim.Prompt) (int64, error)
	Params verbatim.Params // what is sent unless something else is asked for
	Limits config.Limits
	// Slots asks the server how many requests it runs at once; 0 is unknown. Nil: no
	// server can be asked.
	Slots func(context.Context) int
	// Waiting asks the server how many requests wait in its queue; false if it does not say.
	// Nil: no server can be asked.
	Waiting func(context.Context) (int, bool)
	// Wire is the name of the protocol; "" for a model that no server is asked for.
	Wire string
	// Other returns the same endpoint asked in another way: streamed if it is not, and the
	// other way round, or by another model name, "" for its own. nil: there is no other way.
	Other func(flipped bool, name string) verbatim.Model
	// Streams says that replies come in pieces.
	Streams bool
	// Host is the host and port of the server; "" for a model without one.
	Host string
	// Renames says that the endpoint serves the model that a request names.
	Renames bool
	// Speed is how many tokens, read or written, one processor of this machine takes
	// in a second, as was measured somewhere; 0: not known.
	Speed float64
	Close func() error
}
