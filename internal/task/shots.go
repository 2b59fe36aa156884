package task

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
	"verbatim/internal/question"
)

// stockUp makes a deck's stock and refuses decks that it is too small for.
func (d *Deck) stockUp() error {
	switch {
	case d.plan.Items == nil:
		return d.stockCells()
	case d.plan.Suite == "items":
		return d.stockFile()
	}
	return d.stockLists()
}

func (d *Deck) stockCells() error {
	d.stock.kinds = map[string]kind{}
	for i, c := range d.plan.Cells {
		k := kind{d.kinds[i], verbatim.Parameters{Length: c.Length, Edition: d.plan.Edition}}
		it, err := drawItem(k.Family, k.Parameters, d.plan.Seed, 0)
		if err != nil {
			return err
		}
		d.stock.kinds[series(it.ID)] = k
		// Every item of a cell has as many others as the first.
		if _, err := d.shots(&it); err != nil {
			return err
		}
	}
	return nil
}

// series returns what the ids of all items of one kind begin with.
func series(id string) string {
	name, _, _ := strings.Cut(id, "/seed=")
	return name
}

func (d *Deck) stockLists() error {
	d.stock.families = map[string]verbatim.Family{}
	for _, f := range familiesOf(d.plan) {
		d.stock.families[f.Name] = f
	}
	tried := map[string]bool{} // by family and length
	for i := range d.items {
		it := &d.items[i]
		key := it.Facts[verbatim.FactFamily] + " " + it.Facts[verbatim.FactLength]
		if tried[key] {
			continue
		}
		tried[key] = true
		if _, err := d.shots(it); err != nil {
			return err
		}
	}
	return nil
}

func (d *Deck) stockFile() error {
	type place struct {
		family   string
		question [sha256.Size]byte
	}
	seen := map[place]bool{}
	d.stock.pools = map[string][]int{}
	for i := range d.items {
		it := &d.items[i]
		_, question := divide(it.Prompt)
		if len(question) == 0 || question[len(question)-1].Role != "user" {
			continue // the answer would have to go on with the message of an assistant
		}
		family, sum := it.Facts[verbatim.FactFamily], digest(question)
		if !seen[place{"", sum}] {
			d.stock.all = append(d.stock.all, i)
		}
		if !seen[place{family, sum}] {
			d.stock.pools[family] = append(d.stock.pools[family], i)
		}
		seen[place{"", sum}], seen[place{family, sum}] = true, true
	}
	if n := d.plan.Variant.Shots; len(d.stock.all) <= n {
		return question.Misuse("ask with fewer examples, or put more items into the file",
			"%s has too few different questions (%d) for %d examples before each", d.plan.Items.Name, len(d.stock.all), n)
	}
	return nil
}

// digest tells questions apart, as samePrompt does.
func digest(p verbatim.Prompt) [sha256.Size]byte {
	var b []byte
	add := func(s []byte) {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	for _, m := range p {
		add([]byte(m.Role))
		b = binary.AppendUvarint(b, uint64(len(m.Content)))
		for _, part := range m.Content {
			add([]byte(part.Text))
			if part.Image == nil {
				b = append(b, 0)
				continue
			}
			b = append(b, 1)
			add(part.Image.Bytes)
		}
	}
	return sha256.Sum256(b)
}

// shots returns the examples for an item.
func (d *Deck) shots(it *verbatim.Item) ([]verbatim.Item, error) {
	if d.plan.Items != nil && d.plan.Suite == "items" {
		return d.otherItems(it), nil
	}
	if d.plan.Items == nil {
		return d.drawShots(d.stock.kinds[series(it.ID)], it)
	}
	n, err := strconv.Atoi(it.Facts[verbatim.FactLength])
	if err != nil {
		return nil, question.Misuse("use the lists as they were published", "%s has no length", it.ID)
	}
	k := verbatim.Parameters{Length: verbatim.Lengths{Min: n, Max: n}, Edition: d.plan.Edition}
	return d.drawShots(kind{d.stock.families[it.Facts[verbatim.FactFamily]], k}, it)
}

// drawsPerShot bounds how often a shot is drawn until it is another question: so
// often for each shot that is asked for and once more. Where there is one question
// more than examples, all of them equally likely, no draw finding the last one has
// a chance of e^-100.
const drawsPerShot = 100

// drawShots draws examples of a kind. The i-th comes from randomness of its own,
// which no item and no other example shares.
func (d *Deck) drawShots(k kind, it *verbatim.Item) ([]verbatim.Item, error) {
	n := d.plan.Variant.Shots
	out := make([]verbatim.Item, 0, n)
	seen := []string{asks(it)}
	for i := range n {
		r := draw.Rand("shot", k.Version, it.ID, d.plan.Seed, uint64(i))
		for attempt := 0; len(out) == i; attempt++ {
			if attempt == drawsPerShot*(n+1) {
				return nil, question.Misuse("ask with fewer examples, or at another length",
					"%s at length %s has too few questions for %d examples before each", k.Name, k.Length, n)
			}
			shot, err := k.Item(r, k.Parameters)
			if err != nil {
				return nil, err
			}
			if q := asks(&shot); !slices.Contains(seen, q) {
				out, seen = append(out, shot), append(seen, q)
			}
		}
	}
	return out, nil
}

// asks returns the question of a drawn item, its pictures included.
func asks(it *verbatim.Item) (question string) {
	for _, part := range it.Prompt[len(it.Prompt)-1].Content {
		question += part.Text
		if part.Image != nil {
			question += string(part.Image.Bytes)
		}
	}
	return question
}

// otherItems draws examples from the item's file: of the item's family where that
// has enough of them, else of all.
func (d *Deck) otherItems(it *verbatim.Item) []verbatim.Item {
	n := d.plan.Variant.Shots
	pool := d.stock.pools[it.Facts[verbatim.FactFamily]]
	if len(pool) <= n {
		pool = d.stock.all
	}
	_, own := divide(it.Prompt)
	r := draw.Rand("shot", 1, it.ID, d.plan.Seed, 0)
	positions := draw.Distinct(n, func() int {
		for {
			i := pool[r.IntN(len(pool))]
			if _, question := divide(d.items[i].Prompt); !samePrompt(question, own) {
				return i
			}
		}
	})
	out := make([]verbatim.Item, n)
	for i, at := range positions {
		out[i] = d.items[at]
	}
	return out
}

func samePrompt(a, b verbatim.Prompt) bool {
	return slices.EqualFunc(a, b, func(a, b verbatim.Message) bool {
		return a.Role == b.Role && slices.EqualFunc(a.Content, b.Content, samePart)
	})
}

func samePart(a, b verbatim.Part) bool {
	if a.Text != b.Text || (a.Image == nil) != (b.Image == nil) {
		return false
	}
	return a.Image == b.Image || bytes.Equal(a.Image.Bytes, b.Image.Bytes)
}

// divide separates the system messages from the others.
func divide(p verbatim.Prompt) (system, others verbatim.Prompt) {
	if !slices.ContainsFunc(p, isSystem) {
		return nil, p
	}
	for _, m := range p {
		if isSystem(m) {
			system = append(system, m)
		} else {
			others = append(others, m)
		}
	}
	return system, others
}

func isSystem(m verbatim.Message) bool { return m.Role == "system" }
