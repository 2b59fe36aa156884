package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"

	"verbatim"
)

// An ItemsHash identifies a set of items in their order: the SHA-256 of the items as lines
// of JSON, as a file of items has them. It is the same for the same items, whatever file
// they came from.
type ItemsHash struct {
	hash.Hash
	N int
}

func NewItemsHash() *ItemsHash { return &ItemsHash{Hash: sha256.New()} }

func (h *ItemsHash) Add(it *verbatim.Item) error {
	h.N++
	enc := json.NewEncoder(h)
	enc.SetEscapeHTML(false)
	return enc.Encode(it)
}

// Plan returns the plan of runs with these items: count requests in the order of their
// files. Its hash covers the plan and that it was imported. The same items in a run of
// this program have an order of their own, and positions in one order must never be taken
// for positions in another.
func (h *ItemsHash) Plan(suite, name string, trials int, count int64) verbatim.Plan {
	return h.EditionPlan(verbatim.Reference, suite, name, trials, count)
}

// EditionPlan is Plan for items of another edition.
func (h *ItemsHash) EditionPlan(edition verbatim.Edition, suite, name string, trials int, count int64) verbatim.Plan {
	p := verbatim.Plan{
		Suite:   suite,
		Edition: edition,
		Trials:  trials,
		Items:   &verbatim.ItemFile{SHA256: hex.EncodeToString(h.Sum(nil)), N: h.N},
		Count:   count,
	}
	data, err := json.Marshal(p)
	if err != nil {
		panic(err) // numbers and hexadecimal digits: there is nothing that JSON cannot hold
	}
	sum := sha256.Sum256(append([]byte("verbatim import 1\n"), data...))
	p.Hash, p.Items.Name = hex.EncodeToString(sum[:]), name
	return p
}
