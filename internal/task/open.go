package task

import (
	"fmt"

	"verbatim"
	"verbatim/internal/question"
)

// Open deals the plan from its start. Items are those of the plan's file; a plan
// of cells has none. It is an error where there are too few questions for the
// examples of the plan's variant.
func Open(p verbatim.Plan, items []verbatim.Item) (*Deck, error) {
	d := &Deck{plan: p, items: items, even: true}
	if p.Items != nil && len(items) != p.Items.N {
		return nil, fmt.Errorf("the plan asks %d items of %s, and %d are given", p.Items.N, p.Items.Name, len(items))
	}
	for _, c := range p.Cells {
		f, err := Find(c.Family)
		if err != nil {
			return nil, err
		}
		if f.Version != c.Version {
			return nil, question.Misuse("ask it with the version of the program that started it, or start another run with --new",
				"the plan asks version %d of %s, this program draws version %d", c.Version, c.Family, f.Version)
		}
		var drawn []int
		if c.Distinct {
			if drawn, err = distinctIndexes(f, c, p.Edition, p.Seed); err != nil {
				return nil, err
			}
		}
		d.kinds, d.drawn = append(d.kinds, f), append(d.drawn, drawn)
		d.even = d.even && c.N == p.Cells[0].N
	}
	if err := d.openVariant(); err != nil {
		return nil, err
	}
	d.reset()
	return d, nil
}

// openVariant gets ready what Prompt needs.
func (d *Deck) openVariant() error {
	v := d.plan.Variant
	if v == nil {
		return nil
	}
	for i := range d.items {
		if it := &d.items[i]; v.As != "" && structure(v.As, it) == nil {
			return question.Misuse("ask it without --as", "the item %s does not want a JSON object (with the grader json)", it.ID)
		}
	}
	if v.As == verbatim.AsTool {
		d.words = map[string][]rewording{}
		for _, f := range familiesOf(d.plan) {
			d.words[f.Name] = []rewording{{f.Wordings[0], f.Call}}
		}
	}
	if v.Paraphrase != "" {
		d.words = map[string][]rewording{}
		for _, f := range familiesOf(d.plan) {
			list, err := rewordings(f, v)
			if err != nil {
				return err
			}
			d.words[f.Name] = list
		}
	}
	if v.Shots == 0 {
		return nil
	}
	return d.stockUp()
}

// rewordings lists the wordings that a variant uses for a family.
func rewordings(f verbatim.Family, v *verbatim.Variant) ([]rewording, error) {
	n := v.Wordings()
	if n == 1 {
		w, err := wording(f, v.Paraphrase)
		return []rewording{{f.Wordings[0], w}}, err
	}
	if n > len(f.Wordings) {
		return nil, question.Misuse("ask it with the version of the program that started it, or start another run with --new",
			"the plan has %d wordings of %s, this program has %d", n, f.Name, len(f.Wordings))
	}
	var list []rewording
	for _, w := range f.Wordings[:n] {
		list = append(list, rewording{f.Wordings[0], w})
	}
	return list, nil
}
