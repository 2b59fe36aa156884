package task

import (
	"fmt"
	"iter"

	"verbatim"
)

// Open returns the deck of a plan, at its start. Items are those of the plan's file; a plan of cells
// has none. It is an error if there are too few questions for the examples of the plan's variant.
func Open(p verbatim.Plan, items []verbatim.Item) (*Deck, error) {
	d := &Deck{plan: p, items: items, even: true}
	if p.Items != nil && len(items) != p.Items.N {
		return nil, fmt.Errorf("the plan has %d items of %s, and %d are given", p.Items.N, p.Items.Name, len(items))
	}
	for _, c := range p.Cells {
		f, err := Find(c.Family)
		if err != nil {
			return nil, err
		}
		if f.Version != c.Version {
			return nil, misuse("ask it with the version of the program that started it, or start another run with --new",
				"the plan asks version %d of %s, this program draws version %d", c.Version, c.Family, f.Version)
		}
		var indexes []int
		if c.Distinct {
			if indexes, err = distinctIndexes(f, c, p.Edition, p.Seed); err != nil {
				return nil, err
			}
		}
		d.families, d.indexes = append(d.families, f), append(d.indexes, indexes)
		d.even = d.even && c.N == p.Cells[0].N
	}
	if err := d.openVariant(); err != nil {
		return nil, err
	}
	d.reset()
	return d, nil
}

// Draw draws the items of a request without a file, in planned order. An error ends it.
func Draw(q Request) iter.Seq2[*verbatim.Item, error] {
	return func(yield func(*verbatim.Item, error) bool) {
		plan, err := Plan(q)
		var deck *Deck
		if err == nil {
			deck, err = Open(plan, nil)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		deck.Items()(yield)
	}
}

// openVariant prepares the wordings and examples for Prompt.
func (d *Deck) openVariant() error {
	v := d.plan.Variant
	if v == nil {
		return nil
	}
	for i := range d.items {
		if it := &d.items[i]; v.As != "" && structure(v.As, it) == nil {
			return misuse("ask it without --as", "the item %s does not want a JSON object (with the grader json)", it.ID)
		}
	}
	d.wordings = map[string][]verbatim.Wording{}
	for _, f := range familiesOf(d.plan) {
		switch {
		case v.As == verbatim.AsTool:
			d.wordings[f.Name] = []verbatim.Wording{f.Call}
		case v.Paraphrase != "":
			list, err := wordings(f, v)
			if err != nil {
				return err
			}
			d.wordings[f.Name] = list
		}
	}
	if v.Shots == 0 {
		return nil
	}
	return d.stockUp()
}

// wordings lists the wordings of a family that a variant uses.
func wordings(f verbatim.Family, v *verbatim.Variant) ([]verbatim.Wording, error) {
	n := v.Wordings()
	if n == 1 {
		w, err := wording(f, v.Paraphrase)
		return []verbatim.Wording{w}, err
	}
	if n > len(f.Wordings) {
		return nil, misuse("ask it with the version of the program that started it, or start another run with --new",
			"the plan has %d wordings of %s, this program has %d", n, f.Name, len(f.Wordings))
	}
	return f.Wordings[:n], nil
}
