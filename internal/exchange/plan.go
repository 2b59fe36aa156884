package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"

	"verbatim"
)

// An itemsHash names a set of items in their order: it is the SHA-256 of the
// items as lines of JSON, as a file of items would hold them, so that it is the
// same for the same items, whatever file or layout they came from.
type itemsHash struct {
	hash.Hash
	n int
}

func newItemsHash() *itemsHash { return &itemsHash{Hash: sha256.New()} }

func (h *itemsHash) add(it *verbatim.Item) error {
	h.n++
	enc := json.NewEncoder(h)
	enc.SetEscapeHTML(false)
	return enc.Encode(it)
}

// plan returns the plan of runs that answered the items: count requests in the
// order of their files. Its hash covers what the plan says and that it was
// imported: the same items asked here are asked in an order of their own, and
// places in one order must never be taken for places in another.
func (h *itemsHash) plan(suite, name string, trials int, count int64) verbatim.Plan {
	return h.planOf(verbatim.Reference, suite, name, trials, count)
}

// planOf is plan for items of another edition.
func (h *itemsHash) planOf(edition verbatim.Edition, suite, name string, trials int, count int64) verbatim.Plan {
	p := verbatim.Plan{
		Suite:   suite,
		Edition: edition,
		Trials:  trials,
		Items:   &verbatim.ItemFile{SHA256: hex.EncodeToString(h.Sum(nil)), N: h.n},
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
