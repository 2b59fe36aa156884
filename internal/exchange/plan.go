package exchange

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"hash"

	"verbatim"
)

// An itemsHash is the SHA-256 of a list of items as lines of JSON, as a file of items has them. It
// does not depend on the files from which the items come.
type itemsHash struct {
	hash.Hash
	N int // the number of items
}

// newItemsHash returns the hash of no items.
func newItemsHash() *itemsHash { return &itemsHash{Hash: sha256.New()} }

// Add adds an item.
func (h *itemsHash) Add(it *verbatim.Item) error {
	h.N++
	enc := json.NewEncoder(h)
	enc.SetEscapeHTML(false)
	return enc.Encode(it)
}

// Plan returns the plan of an imported run with these items of edition reference: count requests
// in the order of its files. name is that of the file. The hash of the plan differs from that of a
// run of this program with the same items, which has another order: positions of the two must never
// be compared.
func (h *itemsHash) Plan(suite, name string, trials int, count int64) verbatim.Plan {
	return h.editionPlan(verbatim.Reference, suite, name, trials, count)
}

// inMemory returns a run with these records, in this order. It sets their positions and the plan,
// whose suite and file of items have these names.
func inMemory(run verbatim.Run, suite, name string, records []verbatim.Record) (Run, error) {
	h, trials := newItemsHash(), 1
	for i := range records {
		rec := &records[i]
		rec.Seq, trials = int64(i), max(trials, rec.Trial+1)
		if rec.Trial > 0 {
			continue
		}
		if err := h.Add(rec.Item); err != nil {
			return Run{}, err
		}
	}
	run.Plan = h.Plan(suite, name, trials, int64(len(records)))
	return Run{Run: run, Records: Records(records)}, nil
}

// EditionPlan is Plan for items of any edition.
func (h *itemsHash) editionPlan(edition verbatim.Edition, suite, name string, trials int, count int64) verbatim.Plan {
	p := verbatim.Plan{
		Suite:   suite,
		Edition: edition,
		Trials:  trials,
		Items:   &verbatim.ItemFile{SHA256: hex.EncodeToString(h.Sum(nil)), N: h.N},
		Count:   count,
	}
	data, err := json.Marshal(p)
	if err != nil {
		panic(err) // JSON can hold numbers and hexadecimal digits
	}
	sum := sha256.Sum256(append([]byte("verbatim import 1\n"), data...))
	p.Hash, p.Items.Name = hex.EncodeToString(sum[:]), name
	return p
}
