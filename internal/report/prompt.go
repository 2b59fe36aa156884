package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// noSystem is the System of a Variant without the items' own system prompts: task.NoSystem.
const noSystem = "-"

// VariantText describes a prompt variant in words, as "2 shots, paraphrase 1, system prompt “Be
// brief.”". It is empty for nil: the prompts are those of the items. The text is safe to print.
func VariantText(v *verbatim.Variant) string { return strings.Join(VariantParts(v), ", ") }

// VariantParts returns the parts of VariantText.
func VariantParts(v *verbatim.Variant) []string {
	if v == nil {
		return nil
	}
	var parts []string
	switch {
	case v.Shots == 1:
		parts = append(parts, "1 shot")
	case v.Shots > 1:
		parts = append(parts, number.Count(int64(v.Shots))+" shots")
	}
	switch n := v.Wordings(); {
	case n > 1:
		parts = append(parts, "items spread over "+number.Count(int64(n))+" wordings")
	case v.Paraphrase != "":
		parts = append(parts, "paraphrase "+terminal.Visible(v.Paraphrase))
	}
	switch v.System {
	case "":
	case noSystem:
		parts = append(parts, "no system prompt")
	default:
		head, rest := terminal.Excerpt(v.System, 40)
		if rest > 0 {
			head += "…"
		}
		parts = append(parts, "system prompt “"+terminal.Visible(head)+"”")
	}
	switch v.As {
	case "":
	case verbatim.AsTool:
		parts = append(parts, "answers as a tool's arguments")
	case verbatim.AsSchema:
		parts = append(parts, "answers under a JSON Schema")
	default:
		parts = append(parts, "answers as "+terminal.Visible(string(v.As)))
	}
	return parts
}

// markVaried sets Head.Varied of all runs.
func markVaried(runs []Block) {
	varied := slices.ContainsFunc(runs, func(b Block) bool { return b.Head.Variant != nil })
	for i := range runs {
		runs[i].Head.Varied = varied
	}
}

// asks returns a text that is equal for plans which differ in their prompt variant only.
func asks(p *verbatim.Plan) string {
	var file verbatim.ItemFile
	if p.Items != nil {
		file = verbatim.ItemFile{SHA256: p.Items.SHA256, N: p.Items.N}
	}
	return fmt.Sprintf("%s %d %s %d %+v %+v", p.Suite, p.Seed, p.Edition, p.Trials, p.Cells, file)
}

// sameItems reports whether two runs have the same items, in any prompt variants.
func sameItems(a, b *Head) bool {
	return a.Plan == b.Plan || (a.Variant != nil || b.Variant != nil) && a.Asks == b.Asks
}

func samePrompts(a, b *Head) bool {
	if a.Variant == nil || b.Variant == nil {
		return a.Variant == b.Variant
	}
	return *a.Variant == *b.Variant
}

// promptVariants lists the variants of runs, each once.
func promptVariants(runs []Block) string {
	var list []string
	for i := range runs {
		if text := promptText(runs[i].Head.Variant); !slices.Contains(list, text) {
			list = append(list, text)
		}
	}
	return strings.Join(list, "; ")
}

// promptText is VariantText, and ItemsOwnPrompt without a variant.
func promptText(v *verbatim.Variant) string { return cmp.Or(VariantText(v), ItemsOwnPrompt) }

// ItemsOwnPrompt describes prompts without a variant.
const ItemsOwnPrompt = "as the items have it"
