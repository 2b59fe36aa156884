package task

import (
	"verbatim"
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
	return []verbatim.Prompt{own, reworded(it, f.Call)}
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
	return reworded(it, list[verbatim.WordingOf(id, len(list))])
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
