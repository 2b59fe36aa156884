package task

import (
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"verbatim"
)

// NoSystem is the Variant.System that leaves out the items' own system prompts.
const NoSystem = "-"

// mostShots bounds the examples before a question, which are drawn again for every item. No useful
// prompt has more.
const mostShots = 256

// planVariant sets the variant of a plan that is otherwise complete. A variant without changes is left
// out, so that it does not change the plan's hash.
func planVariant(p *verbatim.Plan, v verbatim.Variant) error {
	if v == (verbatim.Variant{}) {
		return nil
	}
	switch {
	case v.Shots < 0 || v.Shots > mostShots:
		return misuse("ask for 1 to 256 examples", "%d examples cannot be put before a question", v.Shots)
	case !utf8.ValidString(v.System):
		return misuse("write it in UTF-8", "the system prompt is not UTF-8")
	case v.System != "" && strings.TrimSpace(v.System) == "":
		return misuse("to leave the system prompt out use --no-system", "the system prompt is blank")
	case v.As != "" && v.As != verbatim.AsTool && v.As != verbatim.AsSchema:
		return misuse("write text, tool or schema", "answers cannot be requested as %q", v.As)
	case v.As == verbatim.AsTool && (v.Shots > 0 || v.Paraphrase != ""):
		return misuse("leave out --shots and --paraphrase", "an answer that is the call of a tool has one wording, and no examples")
	case v.Paraphrase != "" && p.Suite == "items":
		return misuse("leave out --paraphrase, or write the other wording into a file of its own",
			"the items of a file have no other wordings")
	}
	p.Variant = &v
	families := familiesOf(*p)
	for _, f := range families {
		if v.As != "" && f.Call == (verbatim.Wording{}) {
			return misuse("choose tasks whose answers are JSON objects: --task copy-json", "the answers of %s are no JSON objects: --as %s is not possible", f.Name, v.As)
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

// familiesOf returns the families of a plan's items: all of SortBench for published lists, none for
// a user's items.
func familiesOf(p verbatim.Plan) []verbatim.Family {
	return slices.DeleteFunc(Families(), func(f verbatim.Family) bool {
		if p.Items != nil {
			return p.Suite == "items" || !ofSortBench(f)
		}
		return !slices.ContainsFunc(p.Cells, func(c verbatim.Cell) bool { return c.Family == f.Name })
	})
}

// variantID returns the text of a variant inside an id: "shots=2", "shots=2,paraphrase=1",
// "system=9f86d081" with the start of the system prompt's hash, "system=-" without a system prompt. It
// is "" without a variant.
//
// Items that are written with their variant applied have it before their ids, as in
// "shots=2/reverse@1/len=16/seed=1/7": they are other items.
func variantID(v *verbatim.Variant) string {
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
