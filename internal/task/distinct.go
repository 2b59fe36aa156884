package task

import (
	"crypto/sha256"
	"fmt"

	"verbatim"
)

// markDistinct marks the cells of lengths at which a family has so few items that some are drawn
// twice: a plan has none of them twice. The mark is part of the plan's hash.
func markDistinct(p *verbatim.Plan) error {
	for i := range p.Cells {
		c := &p.Cells[i]
		f, err := Find(c.Family)
		if err != nil {
			return err
		}
		if f.Few == 0 || c.Length.Min > f.Few {
			continue
		}
		c.Distinct = true
		if _, err := distinctIndexes(f, *c, p.Edition, p.Seed); err != nil {
			return err
		}
	}
	return nil
}

// distinctIndexes returns the indexes of the items of a cell with distinct items: in ascending order,
// without items whose question an earlier one has. A larger cell begins with the items of a smaller
// one.
func distinctIndexes(f verbatim.Family, c verbatim.Cell, edition verbatim.Edition, seed uint64) ([]int, error) {
	seen, indexes := make(map[[sha256.Size]byte]bool, c.N), make([]int, 0, c.N)
	most := 1000 + 20*c.N // draws that find all of a hundred items, and nearly all of a thousand
	for index := 0; len(indexes) < c.N; index++ {
		if index == most {
			return nil, misuse(fmt.Sprintf("ask for at most %d, or for repeats of them with --trials", len(indexes)),
				"%s has %d different items at length %v, and %d are requested", f.Name, len(indexes), c.Length, c.N)
		}
		it, err := drawItem(f, verbatim.Parameters{Length: c.Length, Edition: edition}, seed, index)
		if err != nil {
			return nil, err
		}
		if key := questionKey(&it); !seen[key] {
			seen[key] = true
			indexes = append(indexes, index)
		}
	}
	return indexes, nil
}

// questionKey returns the hash of the question of a drawn item, with its pictures.
func questionKey(it *verbatim.Item) (key [sha256.Size]byte) {
	sum := sha256.New()
	for _, part := range it.Prompt[len(it.Prompt)-1].Content {
		sum.Write([]byte(part.Text))
		if part.Image != nil {
			sum.Write(part.Image.Bytes)
		}
	}
	sum.Sum(key[:0])
	return key
}
