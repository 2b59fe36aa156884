package model

import (
	"context"

	"verbatim"
)

// A Handle is an opened model.
type Handle struct {
	// Model is a verbatim.Batcher too if the protocol has batches.
	Model verbatim.Model
	// Name is the canonical name: the same model has the same name, however the user spelled
	// it. It has no secrets.
	Name      string
	Note      string // to be shown before the first request; "": nothing
	Simulated bool   // its answers are made from the right ones
	BuiltIn   bool   // it is part of this program: simulated, or nano
	// Price is nil if it is unknown. Its Source says where it is from, and up to which length
	// of the prompt it holds if that is limited.
	Price   *verbatim.Price
	Context *int64 // the tokens of prompt and answer together that it takes; nil: unknown
	// MaxOutput is the largest number of output tokens, and Reasons says whether the model
	// reasons by default, both by the table of prices; nano does not reason. Nil: unknown.
	MaxOutput *int64
	Reasons   *bool
	Images    *bool // whether it takes images; nil: unknown
	// served asks the server about the model. The user's file overrides the server. Nil: no
	// server can be asked.
	Served func(context.Context) served
	// Count counts the tokens of a prompt as the model does; nil: only its replies have counts.
	Count  func(verbatim.Prompt) (int64, error)
	Params verbatim.Params // the defaults of the user's file
	Limits Limits
	// Slots asks the server how many requests it runs at once; 0: unknown. Nil: no server can
	// be asked.
	Slots func(context.Context) int
	// Waiting asks the server how many requests wait in its queue; false: unknown. Nil: no
	// server can be asked.
	Waiting func(context.Context) (int, bool)
	// Wire is the name of the protocol; "": the model is behind no server.
	Wire string
	// Other returns the same endpoint with other requests: flipped exchanges streamed replies
	// and replies in one piece, and name is another name of the model, "" for the same. Nil:
	// the model is behind no server.
	Other func(flipped bool, name string) verbatim.Model
	// Streams says that replies are streamed.
	Streams bool
	// Host is the host and port of the server; "": the model is behind no server.
	Host string
	// Renames says that the model is named in the request, so that other names can be sent to
	// the same address.
	Renames bool
	// Speed is the number of tokens, read or written, that one processor takes per second, as
	// measured on some machine; 0: unknown.
	Speed float64
	Close func() error
}
