package report

import (
	"fmt"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/grade"
)

// tolerated is the share of unanswered, truncated or refused items up to which there is no
// warning. Above it, something other than the task decided a part of the result.
const tolerated = 0.02

// queuedShare is the share of the median time of an answer up to which the median wait in the
// server's queue gives no warning.
const queuedShare = 0.2

// warnings returns the warnings about one run. byUpstream says that its groups are upstreams.
func warnings(run *verbatim.Run, b *Block, editions []Count, byUpstream bool) []Warning {
	var w []Warning
	warn := func(kind, format string, args ...any) {
		w = append(w, Warning{kind, fmt.Sprintf(format, args...)})
	}
	t := &b.Total
	if t.Recorded == 0 {
		warn("empty", "Nothing of this run is saved yet.")
		return w
	}
	if t.Answered == 0 {
		warn("unanswered", "No item was answered: these numbers say nothing about the model.")
	} else if share := float64(t.Unanswered) / float64(t.Recorded); share > tolerated {
		warn("unanswered", "%.1f %% of the items have no answer (%d of %d): the rates are over the others.", 100*share, t.Unanswered, t.Recorded)
	}
	if t.Planned != nil && t.Recorded < *t.Planned {
		warn("unfinished", "%d of %d planned requests have no record yet.", *t.Planned-t.Recorded, *t.Planned)
	}
	for _, o := range []verbatim.Outcome{verbatim.Truncated, verbatim.Refused} {
		i, _ := slot(o)
		n := t.Outcomes[i].N
		if o == verbatim.Truncated && b.NoContent != nil {
			n -= b.NoContent.N // these have a warning of their own
		}
		if share := float64(n) / float64(max(t.Answered, 1)); share > tolerated {
			warn(string(o), outcomeDoubt(o), 100*share, n, t.Answered)
		}
	}
	w = append(w, reasoningWarnings(b)...)
	if i := slices.IndexFunc(b.Flags, func(c Count) bool { return c.Name == grade.SecretRemoved }); i >= 0 {
		warn(grade.SecretRemoved, "%d of %d answers repeated a secret, such as the key of the endpoint. It was replaced before they were graded and saved. The operator of the server knows it: replace the key.",
			b.Flags[i].N, t.Answered)
	}
	if i := slices.IndexFunc(b.Outages, func(c Count) bool { return c.Name == string(verbatim.Shortened) }); i >= 0 {
		warn(string(verbatim.Shortened), "%d of %d items have no answer because the endpoint shortens long prompts, by its count of their tokens. What it answered is not graded, and longer prompts were not sent. The rates are over shorter items: raise the context of the server, or use shorter lengths.",
			b.Outages[i].N, t.Recorded)
	}
	w = slices.Concat(w, finishWarnings(b.FinishWords), publishedWarnings(b.Head.Graders, t.Answered))
	if len(b.Head.Served) > 1 {
		warn("served_models", "The server named more than one model: %s. Their answers are pooled here.", listCounts(b.Head.Served))
	}
	if c := t.Cost; c != nil && c.MayHave != nil && c.Unknown > 0 { // the price of the model is known
		warn("cost", "The cost of %d of %d answers is unknown: their token counts are missing or cannot be true, or a model answered whose price is unknown. A budget counts their maximum.", c.Unknown, c.Known+c.Unknown)
	}
	w = append(w, upstreamWarnings(b.Upstreams, byUpstream)...)
	if len(editions) > 1 {
		warn("editions", "Items of different editions are pooled here: %s.", listCounts(editions))
	}
	if q, all := t.Queued.Median, t.Seconds.Median; q != nil && all != nil && *q > queuedShare*(*all) {
		warn("queued", "Half of the answers waited %.2g s or longer in the server's queue; half took %.2g s or longer in all. These times say more about the load than about the model. A lower --concurrency sends fewer requests at the same time.", *q, *all)
	}
	if versions := mixedVersions(b.Head.Graders); versions != "" {
		warn("graders", "Answers were graded by different versions of a grader: %s. `regrade` makes them one.", versions)
	}
	if text := scoreDoubt(b.Head.Metric, t); text != "" {
		warn("score", "%s", text)
	}
	return slices.Concat(w, loadWarnings(run.Load), contextWarnings(run.Load, b.NeededContext))
}

// reasoningWarnings warns of answers without content at the token limit, and of answers with
// reasoning in their text.
func reasoningWarnings(b *Block) (w []Warning) {
	if e := b.NoContent; e != nil {
		const text = "%d of %d answers were still without content at the token limit%s. They count as not exact: raise --reasoning-tokens, or use a lower --reasoning-effort."
		w = append(w, Warning{"no_content", fmt.Sprintf(text, e.N, e.Of, e.costText())})
	}
	if b.InText > 0 {
		const text = "%d of %d answers had their reasoning in the text, between tags: the server has no reasoning parser, or it is off. The reasoning was removed; --reasoning-tags off keeps it."
		w = append(w, Warning{"reasoning_in_text", fmt.Sprintf(text, b.InText, b.Total.Answered)})
	}
	return w
}

// loadWarnings warns if more requests were in flight than the server runs at once.
func loadWarnings(l *verbatim.Load) []Warning {
	if l == nil || l.Slots == 0 || l.Peak <= l.Slots {
		return nil
	}
	const text = "Up to %d requests were in flight, but the server runs %d at once, as it reports or by its default. The others waited in its queue, and the times include that wait. --concurrency %d avoids it."
	return []Warning{{Kind: "load", Text: fmt.Sprintf(text, l.Peak, l.Slots, l.Slots)}}
}

// contextWarnings warns if a prompt with its answer needed more tokens than the context holds.
func contextWarnings(l *verbatim.Load, needed int64) []Warning {
	if l == nil || l.Context == 0 || needed <= l.Context {
		return nil
	}
	const text = "The longest prompt with its answer took %d tokens, but the model's context holds %d, as its server or the configuration says. Some servers shorten such prompts without notice."
	return []Warning{{Kind: "context", Text: fmt.Sprintf(text, needed, l.Context)}}
}

// publishedWarnings says what exact means for scores that were published without replies.
func publishedWarnings(graders []Count, answered int64) []Warning {
	i := slices.IndexFunc(graders, func(c Count) bool { return c.Name == "published" })
	if i < 0 {
		return nil
	}
	const text = "%d of %d answers are published scores without replies. A full score counts as exact here. SortBench gives it to a right list inside other text too, so that the replies may be exact less often."
	return []Warning{{Kind: "published", Text: fmt.Sprintf(text, graders[i].N, answered)}}
}

// scoreDoubt says what the mean score leaves out; "" if nothing.
func scoreDoubt(m Metric, t *Line) string {
	switch items := t.Exact.Items; {
	case m.OverTrials() && t.Exact.Repeated():
		if t.Score.N < items {
			return fmt.Sprintf("%d of %d items have too few answers for the metric %s, and its mean leaves them out.", items-t.Score.N, items, m)
		}
	case t.Score.N < t.Answered:
		return fmt.Sprintf("The score (%s) is undefined for %d of %d answers, which its mean leaves out.", m, t.Answered-t.Score.N, t.Answered)
	}
	return ""
}

// outcomeDoubt returns the format of the warning about truncated answers or refusals: the percentage,
// their number, and the number of answers.
func outcomeDoubt(o verbatim.Outcome) string {
	if o == verbatim.Truncated {
		return "%.1f %% of the answers were stopped by the token limit after some content (%d of %d), and count as not exact. Raise --max-tokens if right answers were cut short."
	}
	return "%.1f %% of the answers are refusals (%d of %d)."
}

// mixedVersions lists the graders with more than one version.
func mixedVersions(graders []Count) string {
	versions := make(map[string]int)
	for _, g := range graders {
		name, _, _ := strings.Cut(g.Name, "/")
		versions[name]++
	}
	var mixed []Count
	for _, g := range graders {
		if name, _, _ := strings.Cut(g.Name, "/"); versions[name] > 1 {
			mixed = append(mixed, g)
		}
	}
	return listCounts(mixed)
}

// comparisonWarnings returns the warnings about comparing runs with each other.
func comparisonWarnings(runs []Block) []Warning {
	if len(runs) < 2 {
		return nil
	}
	by := func(of func(*Head) string) func(a, b *Head) bool {
		return func(a, b *Head) bool { return of(a) == of(b) }
	}
	var w []Warning
	for _, c := range []struct {
		kind, text string
		same       func(a, b *Head) bool
	}{
		{"plans", "The runs have different plans and so different items: their rows are not comparable one by one.", sameItems},
		{"prompts", "The runs have different prompts (" + promptVariants(runs) + "): the prompt, not the model, may explain their difference.", samePrompts},
		{"parameters", "The runs have different parameters.", by(func(h *Head) string { return strings.Join(ParameterList(h.Params), " ") })},
		{"graders", "The runs were graded by different graders or versions.", by(func(h *Head) string { return namesOf(h.Graders) })},
	} {
		for i := range runs[1:] {
			if !c.same(&runs[i+1].Head, &runs[0].Head) {
				w = append(w, Warning{c.kind, c.text})
				break
			}
		}
	}
	return w
}

// namesOf returns a text that is equal for equal sets of names.
func namesOf(counts []Count) string {
	seen := make(map[string]bool)
	for _, c := range counts {
		seen[c.Name] = true
	}
	return fmt.Sprint(seen) // maps print in the order of their keys
}
