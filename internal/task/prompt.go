package task

import (
	"verbatim"
	"verbatim/internal/jsonschema"
)

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

// rightAnswer returns the right answer as a reply must write it: a list as Python
// prints it, or in the notation of the item's edition.
func rightAnswer(it *verbatim.Item) string {
	if it.Want.IsList() {
		return listText(it.Want.List, verbatim.Edition(it.Facts[verbatim.FactEdition]))
	}
	return it.Want.Text
}
