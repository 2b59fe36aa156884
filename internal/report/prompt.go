package report

import (
	"fmt"
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// noSystem is the System of a Variant that leaves the items' own system prompts
// out. The families' package has the same word under the name NoSystem.
const noSystem = "-"

// VariantText says in words how a plan puts its items, as in "2 shots, paraphrase
// 1, system prompt “Be brief.”". It is empty where they stand as they are. The text
// is safe to print.
func VariantText(v *verbatim.Variant) string { return strings.Join(VariantParts(v), ", ") }

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

// markVaried has runs say that their prompts are as they are, where others' are not.
func markVaried(runs []Block) {
	varied := false
	for i := range runs {
		varied = varied || runs[i].Head.Variant != nil
	}
	for i := range runs {
		runs[i].Head.Varied = varied
	}
}

// asks names a plan by all but its variant and its hash.
func asks(p *verbatim.Plan) string {
	var file verbatim.ItemFile
	if p.Items != nil {
		file = verbatim.ItemFile{SHA256: p.Items.SHA256, N: p.Items.N}
	}
	return fmt.Sprintf("%s %d %s %d %+v %+v", p.Suite, p.Seed, p.Edition, p.Trials, p.Cells, file)
}

// sameItems reports whether two runs were asked the same items, put in whichever
// way.
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
	seen := make(map[string]bool)
	for i := range runs {
		way := VariantText(runs[i].Head.Variant)
		if way == "" {
			way = ItemsOwnPrompt
		}
		if !seen[way] {
			seen[way] = true
			list = append(list, way)
		}
	}
	return strings.Join(list, "; ")
}

const ItemsOwnPrompt = "as the items have it"
