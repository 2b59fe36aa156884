package task

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
	"verbatim/internal/jsonschema"
	"verbatim/internal/question"
)

// NoSystem is the Variant.System that leaves the items' own system prompts out.
const NoSystem = "-"

// mostShots bounds the examples before a question. Every shot is drawn again for
// every item, and no prompt that is worth its tokens has more.
const mostShots = 256

// planVariant sets the variant of a plan that is complete but for it. A variant
// that changes nothing is left out, so that it does not change the plan's hash.
func planVariant(p *verbatim.Plan, v verbatim.Variant) error {
	if v == (verbatim.Variant{}) {
		return nil
	}
	switch {
	case v.Shots < 0 || v.Shots > mostShots:
		return question.Misuse("ask for 1 to 256 examples", "%d examples cannot be put before a question", v.Shots)
	case !utf8.ValidString(v.System):
		return question.Misuse("write it in UTF-8", "the system prompt is not UTF-8")
	case v.System != "" && strings.TrimSpace(v.System) == "":
		return question.Misuse("to leave the system prompt out use --no-system", "the system prompt is blank")
	case v.As != "" && v.As != verbatim.AsTool && v.As != verbatim.AsSchema:
		return question.Misuse("write text, tool or schema", "answers cannot be asked for as %q", v.As)
	case v.As == verbatim.AsTool && (v.Shots > 0 || v.Paraphrase != ""):
		return question.Misuse("leave out --shots and --paraphrase", "an answer that is the call of a tool has one wording, and no examples")
	case v.Paraphrase != "" && p.Suite == "items":
		return question.Misuse("leave out --paraphrase, or write the other wording into a file of its own",
			"the items of a file have no other wordings")
	}
	p.Variant = &v
	families := familiesOf(*p)
	for _, f := range families {
		if v.As != "" && f.Call == (verbatim.Wording{}) {
			return question.Misuse("choose tasks whose answers are JSON objects: --task copy-json", "the answers of %s are no JSON objects, so that they cannot be asked for as %s", f.Name, v.As)
		}
	}
	if v.Paraphrase == AllWordings {
		var err error
		v.Paraphrase, err = spreadOver(families)
		return err
	}
	for _, family := range families {
		if _, err := wording(family, v.Paraphrase); err != nil {
			return err
		}
	}
	return nil
}

// familiesOf returns the families that a plan's items are drawn from: all of
// SortBench's where it asks published lists, none where it asks a user's items.
func familiesOf(p verbatim.Plan) []verbatim.Family {
	return slices.DeleteFunc(Families(), func(f verbatim.Family) bool {
		if p.Items != nil {
			return p.Suite == "items" || !ofSortBench(f)
		}
		return !slices.ContainsFunc(p.Cells, func(c verbatim.Cell) bool { return c.Family == f.Name })
	})
}

// VariantID names a variant inside an id: "shots=2", "shots=2,paraphrase=1",
// "system=9f86d081" with the start of the system prompt's hash, "system=-" where
// it is left out. It is empty for no variant.
//
// Items that are written down with their variant applied carry it before their
// ids, as in "shots=2/reverse@1/len=16/seed=1/7": they are other items.
func VariantID(v *verbatim.Variant) string {
	if v == nil {
		return ""
	}
	var parts []string
	if v.Shots > 0 {
		parts = append(parts, "shots="+strconv.Itoa(v.Shots))
	}
	if v.Paraphrase != "" {
		parts = append(parts, "paraphrase="+v.Paraphrase)
	}
	switch v.System {
	case "":
	case NoSystem:
		parts = append(parts, "system="+NoSystem)
	default:
		sum := sha256.Sum256([]byte(v.System))
		parts = append(parts, "system="+hex.EncodeToString(sum[:4]))
	}
	if v.As != "" {
		parts = append(parts, "as="+string(v.As))
	}
	return strings.Join(parts, ",")
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

// Prompt returns what is sent for an item of the deck: its own prompt, put as the
// plan's variant says.
//
// A paraphrase replaces the official wording, its system prompt included. A system
// prompt of the variant replaces all system messages of the item. Examples stand
// after the system messages and before the question: for each of them a question,
// put in the same way, and as the assistant's message its right answer, written as
// a reply must be. The same item gets the same examples whatever else is asked and
// in whichever order, and more of them begin with the fewer. Its own question is
// never among them, and none stands there twice.
//
// It may be called from several goroutines. The item must be the deck's; what is
// returned may share memory with it and must not be changed.
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
	out := system // which is no part of the item: divide and message make a new one
	if v.Shots > 0 {
		shots, err := d.shots(it)
		if err != nil {
			panic("a deck that was opened without enough examples: " + err.Error())
		}
		for i := range shots {
			_, example := divide(d.reword(&shots[i], it.ID))
			out = append(out, example...)
			out = append(out, message("assistant", rightAnswer(&shots[i])))
		}
	}
	return append(out, question...)
}

// Forms returns the prompts that ask for the answer to an item in every form that the plan's
// variant can have: Prompt's first, then that of the call of a tool, or that of text.
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
	return []verbatim.Prompt{own, rewording{f.Wordings[0], f.Call}.apply(it.Prompt)}
}

// Structure returns the form in which the answer to an item is asked for; nil: as text.
func (d *Deck) Structure(it *verbatim.Item) *verbatim.Structure {
	if d.plan.Variant == nil || d.plan.Variant.As == "" {
		return nil
	}
	return structure(d.plan.Variant.As, it)
}

// structure returns the form of an item's answer; nil where the answer is no JSON object.
func structure(as verbatim.StructureKind, it *verbatim.Item) *verbatim.Structure {
	schema, ok := jsonschema.Of(it.Want.Text)
	if !ok || it.Grader != "json" {
		return nil
	}
	return &verbatim.Structure{As: as, Schema: schema}
}

// Applied returns an item of the deck with the plan's variant as a part of it, under an id of
// its own; without a variant it is the item itself.
func (d *Deck) Applied(it *verbatim.Item) *verbatim.Item {
	v := d.plan.Variant
	if v == nil {
		return it
	}
	other := *it
	other.ID = VariantID(v) + "/" + it.ID
	other.Prompt = d.Prompt(it)
	return &other
}

// reword returns an item's prompt in the plan's wording: if items are spread over several,
// the wording of the item with this id.
func (d *Deck) reword(it *verbatim.Item, id string) verbatim.Prompt {
	if len(d.words) == 0 {
		return it.Prompt
	}
	words, ok := d.words[it.Facts[verbatim.FactFamily]]
	if !ok {
		panic("a deck that does not know the family of " + it.ID)
	}
	return words[verbatim.WordingOf(id, len(words))].apply(it.Prompt)
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

// rightAnswer returns the right answer as a reply must write it: a list as Python
// prints it, or in the notation of the item's edition.
func rightAnswer(it *verbatim.Item) string {
	if it.Want.IsList() {
		return listText(it.Want.List, verbatim.Edition(it.Facts[verbatim.FactEdition]))
	}
	return it.Want.Text
}
