package page

import (
	"slices"
	"strconv"
	"time"

	"verbatim/internal/number"
	"verbatim/internal/report"
)

// A provenanceView says how the numbers were made.
type provenanceView struct {
	Command safeText
	Tool    safeText
	Same    []fact // the facts that are the same for all runs
	Differ  *table // the others, a column for each run; nil without any
}

// A source is a named fact about the origin of a run.
type source struct {
	name string
	code bool
	of   func(*report.Head) safeText
}

func sources() []source {
	return []source{
		{"run", false, func(h *report.Head) safeText {
			if h.N > 0 {
				return safeText(number.Count(h.N)+" · ") + name(h.Name)
			}
			return name(h.Name)
		}},
		{"model", false, func(h *report.Head) safeText { return name(h.Model) }},
		{"served as", false, func(h *report.Head) safeText { return names(h.Served) }},
		{"note", false, func(h *report.Head) safeText { return sentence(h.Note) }},
		{"parameters sent", false, func(h *report.Head) safeText {
			if h.Origin != "" {
				return "unknown: imported"
			}
			return sentence(report.ParameterText(h.Params))
		}},
		{"prompt", false, func(h *report.Head) safeText {
			if text := report.VariantText(h.Variant); text != "" {
				return sentence(text)
			}
			return "of the items"
		}},
		{"started", false, func(h *report.Head) safeText { return instant(h.Started) }},
		{"ended", false, func(h *report.Head) safeText { return instant(h.Ended) }},
		{"took", false, func(h *report.Head) safeText { return safeText(number.Seconds(h.Took)) }},
		{"sent by", false, func(h *report.Head) safeText {
			switch {
			case h.Origin != "":
				return "imported from " + name(h.Origin)
			case h.Tool != "":
				return "verbatim " + name(h.Tool)
			}
			return missing
		}},
		{"graded by", false, func(h *report.Head) safeText { return names(h.Graders) }},
		{"score", false, func(h *report.Head) safeText { return name(h.Metric.String()) }},
		{"suite", false, func(h *report.Head) safeText { return name(h.Suite) }},
		{"items from", false, func(h *report.Head) safeText { return name(h.Items) }},
		{"edition", false, func(h *report.Head) safeText { return name(string(h.Edition)) }},
		{"seed", false, func(h *report.Head) safeText {
			if h.Items != "" { // items of a file are not drawn
				return missing
			}
			return safeText(strconv.FormatUint(h.Seed, 10))
		}},
		{"trials", false, func(h *report.Head) safeText { return safeText(number.Count(int64(h.Trials))) }},
		{"plan hash", true, func(h *report.Head) safeText { return name(h.Plan) }},
	}
}

func instant(t *time.Time) safeText {
	if t == nil {
		return missing
	}
	return safeText(t.UTC().Format("2006-01-02 15:04") + " UTC")
}

// newProvenance separates the facts that all runs share from the others.
func newProvenance(r *report.Report, runs []run) *provenanceView {
	v := &provenanceView{Command: sentence(r.Command), Tool: name(r.Tool)}
	differ := &table{ID: "t-provenance", Caption: "Where the runs come from", First: ""}
	for i := range runs {
		differ.Columns = append(differ.Columns, column{Run: &runs[i], Left: true})
	}
	for _, s := range sources() {
		same, known := true, false
		cells := make([]cell, len(r.Runs))
		for i := range r.Runs {
			cells[i].Safe = s.of(&r.Runs[i].Head)
			same = same && cells[i].Safe == cells[0].Safe
			known = known || cells[i].Safe != "" && cells[i].Safe != missing
		}
		switch {
		case !known:
		case same:
			v.Same = append(v.Same, fact{Name: s.name, Safe: cells[0].Safe, Code: s.code})
		default:
			differ.Rows = append(differ.Rows, row{Head: safeText(s.name), Cells: cells})
		}
	}
	v.Differ = differ.orNil()
	return v
}

// A termView is a term of the page and its meaning.
type termView struct{ Word, Meaning string }

// glossary explains the terms of the page.
func glossary() []termView {
	return []termView{
		{"exact", "The share of answers that are exact: the whole reply is the expected answer. Outages are not in it."},
		{"exact up to", "The longest length of a task up to which every length with at least 10 answered items has at least 95 % exact answers, unless the report says another share, with the exact answers there. ≥: the longest that was measured. <: not even the shortest. A dash: too few items."},
		{"$/1,000 exact", "What 1,000 exact answers cost, wrong ones included. A dash: the price is unknown."},
		{"of planned", "The same share of all planned requests, answered or not."},
		{"extracted", "The share of answers that are right once quotation marks, code fences and other text are removed. Extracted minus exact: right answers in the wrong format. The rest is inability."},
		{"score", "The suite’s own score of an answer, from 0 to 1; 1 is right. Without a score of its own it is 1 for an exact answer and otherwise 0."},
		{"ModelScore", "The mean score with the length for its weight (Herbold 2025)."},
		{"85.0 79.0–90.0", "A share and its 95 % interval (Wilson): the range of shares that fit these answers."},
		{"pass", "Exact."},
		{"wrapped", "Extracted, but not exact: the label gives the cause, such as quotation marks, a code fence or other text."},
		{"wrong", "Not right."},
		{"refused", "The model declined."},
		{"truncated", "Stopped by the token limit: counted as not exact. Raise --reasoning-tokens or --max-tokens."},
		{"cut", "An outage: the stream ended without its end marker."},
		{"error", "An outage: no answer after all attempts."},
		{"skipped", "Not sent."},
		{"better, worse", "With a probability of 95 % or more, the mean score differs from the baseline’s by more than the equivalence margin (posterior; error rate not guaranteed)."},
		{"equivalent", "With a probability of 95 % or more, the difference is within the equivalence margin. Few items are rarely enough for it."},
		{"inconclusive", "No verdict. The comparison estimates the number of further items that would settle it."},
		{"withheld", "No verdict, because too many answers of a run are missing."},
		{"rank 2–4", "The 95 % simultaneous interval of the rank: second, third or fourth."},
		{"alone 12 : 3, p 0.021", "Of the items that both runs answered, 12 are right in this run only and 3 in the baseline only. If both were equally good, so uneven a split had the probability 0.021 (sign-flip test). Of twenty cells one is below 0.05 by chance: read the totals first."},
		{"Holm", "A correction for several comparisons. Verdicts in rows of tables have it."},
		{"first token, last token", "The time until the first piece of a reply, and until its end."},
		{"server's queue", "The part of these times that a request waited at the server, where the server reports it."},
		{"␊ ␠ ␉ «U+200B» ⟨FF⟩", "Invisible characters: a line break, a space, a tab, a character by its Unicode number, a byte that is not text."},
	}
}

// A warningView is a warning with the runs that it is about.
type warningView struct {
	Text safeText
	Runs nameList // empty: the warning is about all runs
}

// openWarnings is the largest number of warnings that are shown at first.
const openWarnings = 4

// A warningsView is all warnings: those shown at first, and the others.
type warningsView struct {
	First, More []warningView
}

// newWarnings lists the warnings: first those about comparisons of the runs, then those of
// single runs, where equal ones are joined. It is nil without warnings.
func newWarnings(r *report.Report, runs []run) *warningsView {
	var list []warningView
	for _, w := range r.Warnings {
		list = append(list, warningView{Text: sentence(w.Text)})
	}
	if r.Groups != nil {
		for _, w := range r.Groups.Warnings {
			list = append(list, warningView{Text: sentence(w.Text)})
		}
	}
	index := make(map[string]int) // of each text in the list
	for i := range r.Runs {
		texts := []string{r.Runs[i].Head.Note}
		for _, w := range r.Runs[i].Warnings {
			texts = append(texts, w.Text)
		}
		for n, text := range texts {
			if text == "" || slices.Contains(texts[:n], text) {
				continue
			}
			if _, known := index[text]; !known {
				index[text] = len(list)
				list = append(list, warningView{Text: sentence(text)})
			}
			w := &list[index[text]]
			w.Runs = append(w.Runs, runs[i].Name)
		}
	}
	if len(list) == 0 {
		return nil
	}
	for i := range list {
		if len(runs) > 1 && len(list[i].Runs) == len(runs) {
			list[i].Runs = nil
		}
	}
	n := min(len(list), openWarnings)
	if len(list) == openWarnings+1 { // "1 more" would take as much room
		n++
	}
	return &warningsView{list[:n], list[n:]}
}
