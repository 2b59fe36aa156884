package recordview

import (
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/terminal"
)

// WriteText writes a View for a terminal. All texts from outside are Visible.
func WriteText(w io.Writer, v *View, s terminal.Style) error {
	sections := []string{
		showTitle(v, s),
		showVerdict(v, s),
		showPrompt(v.Prompt, s),
		showText("expected", nil, AnswerText(v.Want), AnswerText(v.Want), promptChars, v.Want.IsList(), s),
	}
	if v.Reply != nil {
		sections = append(sections, showText("reply", ReplyFacts(v.Reply), v.Reply.text, v.markedReply(), replyChars, v.Want.IsList(), s))
		if v.Reply.reasoning != "" {
			sections = append(sections, showText("reasoning", nil, v.Reply.reasoning, v.Reply.reasoning, replyChars, true, s))
		}
	}
	if v.Difference != nil {
		sections = append(sections, showDifference(v.Difference, s))
	}
	if v.Departure != nil {
		sections = append(sections, showDeparture(v.Departure, s))
	}
	if v.Verdict != nil && len(v.Verdict.Measures) > 0 {
		sections = append(sections, hanging(heading("measures", s), terminal.JoinParts(measures(v.Verdict.Measures), s.Columns()-label)))
	}
	if len(v.Attempts) > 1 || v.Failure != nil {
		sections = append(sections, showAttempts(v, s))
	}
	_, err := io.WriteString(w, strings.Join(slices.DeleteFunc(sections, func(t string) bool { return t == "" }), "\n"))
	return err
}

func showTitle(v *View, s terminal.Style) string {
	title := terminal.Visible(v.Item)
	if v.Trial > 0 {
		title += " · trial " + strconv.Itoa(v.Trial)
	}
	var where []string
	if v.Run.N > 0 {
		where = append(where, "run "+number.Count(v.Run.N))
	}
	for _, name := range []string{v.Run.Name, v.Run.Model} {
		if name != "" {
			where = append(where, terminal.Visible(name))
		}
	}
	lines := append(terminal.WrapAnywhere(title, s.Columns()), terminal.WrapAnywhere(strings.Join(where, " · "), s.Columns())...)
	lines[0] = s.Paint(terminal.Bold, lines[0])
	return strings.Join(lines, "\n") + "\n"
}

// showVerdict shows the outcome with its reason, and how the reply was graded.
func showVerdict(v *View, s terminal.Style) string {
	outcome := terminal.PadRight(string(v.Outcome), label)
	switch {
	case v.Outcome == verbatim.Pass:
		outcome = s.Paint(terminal.Good, outcome)
	case v.Outcome.Answered():
		outcome = s.Paint(terminal.Bad, outcome)
	default:
		outcome = s.Paint(terminal.Alert, outcome)
	}
	g := v.Verdict
	if g == nil {
		why := "There was no answer."
		if v.Failure != nil {
			why = failureText(v.Failure)
		}
		return hanging(outcome, terminal.Wrap(why, s.Columns()-label))
	}
	lines := terminal.Wrap(Reason(v), s.Columns()-label)
	graded := []string{"exact " + yes(g.Exact), "extracted " + yes(g.Extracted), "score " + scoreOf(g.Score)}
	if g.Rule != "" {
		answer := "answer"
		if _, _, marked := v.answerSpan(); marked {
			answer = "answer ⟦…⟧"
		}
		graded = append(graded, answer+" found by: "+terminal.Visible(g.Rule))
	}
	if g.Repair != "" {
		graded = append(graded, "read by repair: "+terminal.Visible(g.Repair))
	}
	if len(g.Flags) > 0 {
		flags := make([]string, len(g.Flags))
		for i, flag := range g.Flags {
			flags[i] = terminal.Visible(flag)
			if meaning := FlagMeaning(flag); meaning != "" {
				flags[i] += " (" + meaning + ")"
			}
		}
		graded = append(graded, "flags "+strings.Join(flags, ", "))
	}
	graded = append(graded, "by "+terminal.Visible(g.Grader))
	return hanging(outcome, append(lines, terminal.JoinParts(graded, s.Columns()-label)...))
}

func yes(b bool) string {
	if b {
		return "yes"
	}
	return "no"
}

func scoreOf(v *float64) string {
	if v == nil {
		return "undefined"
	}
	return number.Score(v)
}

func failureText(f *Failure) string {
	text := terminal.Visible(string(f.Class))
	if f.Status != 0 {
		text += " (HTTP " + strconv.Itoa(f.Status) + ")"
	}
	if f.Who != "" {
		text = terminal.Visible(f.Who) + ": " + text
	}
	if f.Message != "" {
		text += ": " + terminal.Visible(f.Message)
	}
	return text
}

func showPrompt(p verbatim.Prompt, s terminal.Style) string {
	var b strings.Builder
	for _, m := range p {
		b.WriteString(heading("prompt", s) + s.Paint(terminal.Faint, terminal.Visible(m.Role)) + "\n")
		for _, part := range m.Content {
			text := part.Text
			if part.Image != nil {
				text = pictureText(part.Image)
			}
			b.WriteString(body(text, promptChars, s, true))
		}
	}
	return b.String()
}

// The numbers of characters that are shown of a long text. JSON has all.
const (
	promptChars = 1500 // and of the expected answer
	replyChars  = 4000
)

// showText shows a text with its size and other facts. shown is the text with marks. prose is
// broken between words, other texts anywhere, because every character of them counts.
func showText(name string, parts []string, text, shown string, chars int, prose bool, s terminal.Style) string {
	lines := terminal.JoinParts(append([]string{SizeText(text)}, parts...), s.Columns()-label)
	for i := range lines {
		lines[i] = s.Paint(terminal.Faint, lines[i])
	}
	head := hanging(heading(name, s), lines)
	if text == "" {
		return head
	}
	return head + body(shown, chars, s, prose)
}

// SizeText prints the size of a text in characters, and in bytes if that differs.
func SizeText(text string) string {
	if text == "" {
		return "nothing"
	}
	chars, bytes := characters(text), len(text)
	out := number.Plural(int64(chars), "character", "characters")
	if bytes != chars {
		out += ", " + number.Count(int64(bytes)) + " bytes"
	}
	return out
}

// ReplyFacts lists the facts about a reply in words, each Visible.
func ReplyFacts(r *Reply) []string {
	var parts []string
	if r.Finish != verbatim.FinishUnknown {
		finish := "finish " + terminal.Visible(string(r.Finish))
		if r.FinishRaw != "" && r.FinishRaw != string(r.Finish) {
			finish += " (" + terminal.Visible(r.FinishRaw) + ")"
		}
		parts = append(parts, finish)
	}
	if r.Seconds != nil {
		parts = append(parts, number.Seconds(r.Seconds))
	}
	if r.FirstToken != nil {
		parts = append(parts, "first token "+number.Seconds(r.FirstToken))
	}
	if r.FirstContent != nil && (r.FirstToken == nil || *r.FirstContent != *r.FirstToken) {
		parts = append(parts, "first content "+number.Seconds(r.FirstContent))
	}
	if r.Queued != nil {
		parts = append(parts, "in the server's queue "+number.Seconds(r.Queued))
	}
	for _, u := range []struct {
		n    *int64
		what string
	}{{r.Usage.Prompt, "tokens in"}, {r.Usage.Completion, "tokens out"}, {r.Usage.Reasoning, "of them reasoning"}} {
		if u.n != nil {
			parts = append(parts, number.Count(*u.n)+" "+u.what)
		}
	}
	if r.Cost != nil && *r.Cost > 0 {
		parts = append(parts, "cost "+r.Cost.String())
	}
	if r.Claimed != nil {
		parts = append(parts, "the server claims "+r.Claimed.String())
	}
	if r.ServedModel != "" {
		parts = append(parts, "served as "+terminal.Visible(r.ServedModel))
	}
	return parts
}

// measures prints measures by name.
func measures(m map[string]float64) []string {
	var parts []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		part := terminal.Visible(k) + " " + number.Value(m[k])
		if meaning := measureMeaning(k); meaning != "" {
			part += " (" + meaning + ")"
		}
		parts = append(parts, part)
	}
	return parts
}

func showAttempts(v *View, s terminal.Style) string {
	var b strings.Builder
	b.WriteString(s.Paint(terminal.Bold, "attempts") + "\n")
	for _, a := range v.Attempts {
		parts := []string{"done"}
		if a.Class != "" {
			parts[0] = terminal.Visible(string(a.Class))
		}
		if a.Status != 0 {
			parts[0] += " (HTTP " + strconv.Itoa(a.Status) + ")"
		}
		if a.Upstream != "" {
			parts = append(parts, "by "+terminal.Visible(a.Upstream))
		}
		if a.Waited > 0 {
			parts = append(parts, "after a wait of "+number.Seconds(&a.Waited))
		}
		parts = append(parts, "took "+number.Seconds(&a.Seconds), number.Count(a.Bytes)+" bytes")
		if a.Message != "" {
			parts = append(parts, terminal.Visible(a.Message))
		}
		if a.Cost != nil {
			parts = append(parts, "may have cost up to "+a.Cost.String())
		}
		if a.Partial != "" {
			parts = append(parts, "had sent: "+a.Partial)
		}
		b.WriteString(hanging(terminal.PadRight("  try "+strconv.Itoa(a.N), label), terminal.JoinParts(parts, s.Columns()-label)))
	}
	if v.Failure != nil && v.Failure.Hint != "" {
		b.WriteString(hanging(s.Paint(terminal.Alert, terminal.PadRight("  hint", label)), terminal.Wrap(terminal.Visible(v.Failure.Hint), s.Columns()-label)))
	}
	return b.String()
}

// label is the number of columns for the headings of the parts of a record.
const label = 12

// heading returns a word as the heading of a part.
func heading(word string, s terminal.Style) string {
	return s.Paint(terminal.Bold, terminal.PadRight(word, label))
}

// hanging puts a heading before the first line, and indents the others.
func hanging(word string, lines []string) string {
	return word + strings.Join(lines, "\n"+strings.Repeat(" ", label)) + "\n"
}
