package layout

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"verbatim/internal/number"
	"verbatim/internal/reasoning"
	"verbatim/internal/report"
	"verbatim/internal/table"
)

// about returns the word before a median that is an estimate; empty if it is exact.
func about(s report.Sizes) string {
	if s.Median == nil || s.N <= report.ExactNumbers || *s.Min == *s.Max {
		return ""
	}
	return "about "
}

// reasoningTable has a column for each outcome, with the sizes of the reasoning before its answers,
// in tokens as the server counts them and in characters, and the marks of the texts. It is nil
// without reasoning.
func reasoningTable(list []report.Reasoned) *table.Table {
	if len(list) == 0 {
		return nil
	}
	t := &table.Table{Columns: []table.Column{{Head: "reasoning"}}}
	for i, r := range list {
		t.Columns = append(t.Columns, table.Column{Head: string(r.Outcome), Right: true, Rank: i}) // a narrow terminal lacks the last ones
	}
	add := func(name string, cell func(r *report.Reasoned) string) {
		row, known := []string{"  " + name}, false
		for i := range list {
			text := cell(&list[i])
			known = known || text != number.Missing
			row = append(row, text)
		}
		if known {
			t.Add(row...)
		}
	}
	addSizes := func(unit string, of func(r *report.Reasoned) report.Sizes) {
		add(unit+", median", func(r *report.Reasoned) string { return about(of(r)) + number.Whole(of(r).Median) })
		add(unit+", mean", func(r *report.Reasoned) string { return number.Whole(of(r).Mean) })
		add(unit+", range", func(r *report.Reasoned) string {
			s := of(r)
			low, high := number.Whole(s.Min), number.Whole(s.Max)
			if low == high {
				return low
			}
			return low + "–" + high
		})
	}
	add("answers", func(r *report.Reasoned) string { return number.Count(max(r.N, texts(r).Characters.N)) })
	addSizes("tokens", func(r *report.Reasoned) report.Sizes { return r.Sizes })
	addSizes("characters", func(r *report.Reasoned) report.Sizes { return texts(r).Characters })
	addSizes("words", func(r *report.Reasoned) report.Sizes { return texts(r).Words })
	type mark struct {
		name string
		of   func(t report.ReasoningTexts) report.Marked
	}
	marks := []mark{
		{"second thoughts", func(t report.ReasoningTexts) report.Marked { return t.SecondThoughts }},
		{"repeated lines", func(t report.ReasoningTexts) report.Marked { return t.RepeatedLines }},
		{"language switches", func(t report.ReasoningTexts) report.Marked { return t.LanguageSwitches }},
	}
	for _, p := range reasoning.Patterns() {
		marks = append(marks, mark{p.Name, func(t report.ReasoningTexts) report.Marked { return t.Patterns[p.Name] }})
	}
	for _, phrase := range commonPhrases(list) {
		marks = append(marks, mark{strconv.Quote(phrase), func(t report.ReasoningTexts) report.Marked { return t.Phrases[phrase] }})
	}
	for _, m := range marks {
		add(m.name+" an answer", func(r *report.Reasoned) string {
			x := texts(r)
			if x.Characters.N == 0 {
				return number.Missing
			}
			return strconv.FormatFloat(float64(m.of(x).Total)/float64(x.Characters.N), 'f', 2, 64)
		})
	}
	return t
}

// commonPhrases returns the five phrases that are found most often.
func commonPhrases(list []report.Reasoned) []string {
	totals := map[string]int64{}
	for i := range list {
		for phrase, n := range texts(&list[i]).Phrases {
			totals[phrase] += n.Total
		}
	}
	phrases := slices.SortedFunc(maps.Keys(totals), func(a, b string) int {
		return cmp.Or(cmp.Compare(totals[b], totals[a]), strings.Compare(a, b))
	})
	return phrases[:min(5, len(phrases))]
}

// texts returns the sizes and marks of the texts of reasoning; zeros without texts.
func texts(r *report.Reasoned) report.ReasoningTexts {
	if r.Texts == nil {
		return report.ReasoningTexts{}
	}
	return *r.Texts
}
