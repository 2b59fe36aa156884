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
	"verbatim/internal/jsonschema"
)

// Prompt returns the prompt for an item of the deck: its own prompt, changed by the plan's variant.
//
// A paraphrase replaces the official wording, its system prompt included. A system prompt of the
// variant replaces all system messages of the item. Examples are between the system messages and the
// question. Each is a question in the same wording, with its right answer as the assistant's message,
// written as a reply must be. The examples of an item do not depend on other items or their order, and
// a larger number begins with the smaller one. They are different, and none has the item's own
// question.
//
// Prompt may be called from several goroutines. The prompt may share memory with the item and must not
// be changed.
func (d *Deck) Prompt(it *verbatim.Item) verbatim.Prompt {
	v := d.plan.Variant
	if v == nil {
		return it.Prompt
	}
	system, question := divide(d.reword(it, it.ID))
	switch v.System {
	case "":
	case NoSystem:
		system = nil
	default:
		system = verbatim.Prompt{message("system", v.System)}
	}
	out := system // not part of the item: divide and message make a new one
	if v.Shots > 0 {
		shots, err := d.shots(it)
		if err != nil {
			panic("the deck has too few examples: " + err.Error())
		}
		for i := range shots {
			_, example := divide(d.reword(&shots[i], it.ID))
			out = append(out, example...)
			out = append(out, message("assistant", rightAnswer(&shots[i])))
		}
	}
	return append(out, question...)
}

// Forms returns the prompts for an item in every form of --as that goes with the plan's variant:
// first that of Prompt, then that of the call of a tool or of text.
func (d *Deck) Forms(it *verbatim.Item) []verbatim.Prompt {
	own := d.Prompt(it)
	v := d.plan.Variant
	if v != nil && v.As == verbatim.AsTool {
		return []verbatim.Prompt{own, it.Prompt}
	}
	f, err := Find(it.Facts[verbatim.FactFamily])
	if err != nil || f.Call == (verbatim.Wording{}) || v != nil && (v.Shots > 0 || v.Paraphrase != "") {
		return []verbatim.Prompt{own}
	}
	if _, ok := inputsOf(it, f.Wordings[0]); !ok {
		return []verbatim.Prompt{own}
	}
	return []verbatim.Prompt{own, reworded(it, f.Wordings[0], f.Call)}
}

// Applied returns an item of the deck with the prompt of the plan's variant and its own id; without a
// variant, the item itself.
func (d *Deck) Applied(it *verbatim.Item) *verbatim.Item {
	v := d.plan.Variant
	if v == nil {
		return it
	}
	other := *it
	other.ID = variantID(v) + "/" + it.ID
	other.Prompt = d.Prompt(it)
	return &other
}

// reword returns an item's prompt in the plan's wording. If items are spread over several wordings,
// it is that of the item with this id.
func (d *Deck) reword(it *verbatim.Item, id string) verbatim.Prompt {
	if len(d.wordings) == 0 {
		return it.Prompt
	}
	list, ok := d.wordings[it.Facts[verbatim.FactFamily]]
	if !ok {
		panic("the deck does not know the family of " + it.ID)
	}
	f, err := Find(it.Facts[verbatim.FactFamily])
	if err != nil {
		panic("the deck does not know the family of " + it.ID)
	}
	return reworded(it, f.Wordings[0], list[verbatim.WordingOf(id, len(list))])
}

// Structure returns the form in which the answer to an item is requested; nil: text.
func (d *Deck) Structure(it *verbatim.Item) *verbatim.Structure {
	if d.plan.Variant == nil || d.plan.Variant.As == "" {
		return nil
	}
	return structure(d.plan.Variant.As, it)
}

// structure returns the form of an item's answer; nil if the answer is no JSON object.
func structure(as verbatim.StructureKind, it *verbatim.Item) *verbatim.Structure {
	schema, ok := jsonschema.Of(it.Want.Text)
	if !ok || it.Grader != "json" {
		return nil
	}
	return &verbatim.Structure{As: as, Schema: schema}
}

// rightAnswer returns the right answer as a reply must write it: a text, or a list in the notation of
// the item's edition.
func rightAnswer(it *verbatim.Item) string {
	if it.Want.IsList() {
		return listText(it.Want.List, verbatim.Edition(it.Facts[verbatim.FactEdition]))
	}
	return it.Want.Text
}

// message returns a message of one text.
func message(role, text string) verbatim.Message {
	return verbatim.Message{Role: role, Content: []verbatim.Part{{Text: text}}}
}

// WordingName returns the name of a family's wording by its index: "" for the official one, "1", "2",
// … for the paraphrases.
func WordingName(i int) string {
	if i == 0 {
		return ""
	}
	return strconv.Itoa(i)
}

// AllWordings is the name of a paraphrase that spreads the items over all wordings.
const AllWordings = "all"

// spreadOver returns the paraphrase that spreads the items of a plan over the wordings that all of its
// families have.
func spreadOver(families []verbatim.Family) (string, error) {
	fewest := slices.MinFunc(families, func(a, b verbatim.Family) int { return len(a.Wordings) - len(b.Wordings) })
	if len(fewest.Wordings) < 2 {
		return "", misuse("leave out --paraphrase", "there are no other wordings of %s", fewest.Name)
	}
	return verbatim.SpreadOver(len(fewest.Wordings)), nil
}

// wording returns the wording of a family that a variant names.
func wording(f verbatim.Family, paraphrase string) (verbatim.Wording, error) {
	var names []string
	for i, w := range f.Wordings {
		if WordingName(i) == paraphrase {
			return w, nil
		}
		names = append(names, WordingName(i))
	}
	if len(names) < 2 {
		return verbatim.Wording{}, misuse("leave out --paraphrase", "there are no other wordings of %s", f.Name)
	}
	return verbatim.Wording{}, misuse("the paraphrases are "+strings.Join(names[1:], ", ")+"; 'verbatim tasks "+f.Name+"' shows them",
		"there is no paraphrase %q of %s", paraphrase, f.Name)
}

// reworded returns the prompt of an item in another wording of its family; the item's own prompt if it is
// in no wording of the family.
func reworded(it *verbatim.Item, official, w verbatim.Wording) verbatim.Prompt {
	in, ok := inputsOf(it, official)
	if !ok {
		return it.Prompt
	}
	p := w.Prompt(in)
	last := &p[len(p)-1]
	last.Content = append(last.Content, it.Prompt[len(it.Prompt)-1].Content[1:]...) // pictures stay
	return p
}

// inputsOf returns what an item puts into the wordings of its family. An item that was read from a file
// has no inputs: they are what its prompt has in the places of the official wording.
func inputsOf(it *verbatim.Item, official verbatim.Wording) (verbatim.Inputs, bool) {
	if it.Inputs != nil {
		return it.Inputs, true
	}
	messages := 1
	if official.System != "" {
		messages = 2
	}
	if len(it.Prompt) != messages || slices.ContainsFunc(it.Prompt, func(m verbatim.Message) bool { return len(m.Content) == 0 }) ||
		official.System != "" && it.Prompt[0].Content[0].Text != official.System {
		return nil, false
	}
	texts, names := official.Split()
	rest, ok := strings.CutPrefix(it.Prompt[len(it.Prompt)-1].Content[0].Text, texts[0])
	in := verbatim.Inputs{}
	for i, name := range names {
		if i == len(names)-1 {
			rest, found := strings.CutSuffix(rest, texts[i+1])
			in[name], ok = rest, ok && found
			break
		}
		var found bool
		in[name], rest, found = strings.Cut(rest, texts[i+1])
		ok = ok && found
	}
	return in, ok && (len(names) > 0 || rest == "")
}

// stockUp makes a deck's stock. It is an error if that is too small for the examples.
func (d *Deck) stockUp() error {
	switch {
	case d.plan.Items == nil:
		return d.stockCells()
	case d.plan.Suite == "items":
		return d.stockFile()
	}
	return d.stockLists()
}

// stockCells makes the stock of a deck of cells.
func (d *Deck) stockCells() error {
	d.stock.kinds = map[string]kind{}
	for i, c := range d.plan.Cells {
		k := kind{d.families[i], verbatim.Parameters{Length: c.Length, Edition: d.plan.Edition}}
		it, err := drawItem(k.Family, k.Parameters, d.plan.Seed, 0)
		if err != nil {
			return err
		}
		d.stock.kinds[series(it.ID)] = k
		// Every item of a cell has the same number of others as the first.
		if _, err := d.shots(&it); err != nil {
			return err
		}
	}
	return nil
}

// series returns the beginning of an id that all items of its kind share.
func series(id string) string {
	name, _, _ := strings.Cut(id, "/seed=")
	return name
}

// stockLists makes the stock of a deck of published lists.
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

// stockFile makes the stock of a deck of a user's items.
func (d *Deck) stockFile() error {
	type key struct {
		family   string // "": of any family
		question [sha256.Size]byte
	}
	seen := map[key]bool{}
	d.stock.pools = map[string][]int{}
	for i := range d.items {
		it := &d.items[i]
		_, question := divide(it.Prompt)
		if len(question) == 0 || question[len(question)-1].Role != "user" {
			continue // the answer would have to continue a message of the assistant
		}
		family, sum := it.Facts[verbatim.FactFamily], digest(question)
		if !seen[key{"", sum}] {
			d.stock.all = append(d.stock.all, i)
		}
		if !seen[key{family, sum}] {
			d.stock.pools[family] = append(d.stock.pools[family], i)
		}
		seen[key{"", sum}], seen[key{family, sum}] = true, true
	}
	if n := d.plan.Variant.Shots; len(d.stock.all) <= n {
		return misuse("ask with fewer examples, or put more items into the file",
			"%s has too few different questions (%d) for %d examples before each", d.plan.Items.Name, len(d.stock.all), n)
	}
	return nil
}

// digest returns the hash of a prompt. It is the same for prompts for which samePrompt is true.
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
		return nil, misuse("use the lists as they were published", "%s has no length", it.ID)
	}
	k := verbatim.Parameters{Length: single(n), Edition: d.plan.Edition}
	return d.drawShots(kind{d.stock.families[it.Facts[verbatim.FactFamily]], k}, it)
}

// drawsPerShot bounds the draws until a shot has a new question: this number for each shot of the
// variant, and once more. If there is one question more than shots, all equally probable, the
// probability that no draw finds the last one is e^-100.
const drawsPerShot = 100

// drawShots draws examples of a kind. Each has its own random source, which no item and no other
// example shares.
func (d *Deck) drawShots(k kind, it *verbatim.Item) ([]verbatim.Item, error) {
	n := d.plan.Variant.Shots
	out := make([]verbatim.Item, 0, n)
	seen := [][sha256.Size]byte{questionKey(it)}
	for i := range n {
		r := draw.Rand("shot", k.Version, it.ID, d.plan.Seed, uint64(i))
		for attempt := 0; len(out) == i; attempt++ {
			if attempt == drawsPerShot*(n+1) {
				return nil, misuse("ask with fewer examples, or at another length",
					"%s at length %s has too few questions for %d examples before each", k.Name, k.Length, n)
			}
			shot, err := k.Item(r, k.Parameters)
			if err != nil {
				return nil, err
			}
			if key := questionKey(&shot); !slices.Contains(seen, key) {
				out, seen = append(out, shot), append(seen, key)
			}
		}
	}
	return out, nil
}

// otherItems draws examples from the item's file: of the item's family if it has enough of them,
// otherwise of all.
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

// samePrompt reports whether two prompts have equal messages.
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

// divide returns the system messages and the other messages of a prompt.
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
