package report

import (
	"io"
	"slices"
	"strconv"
	"strings"

	"verbatim"
)

// ShowJSON writes the Shown as it is, one indented document.
func ShowJSON(w io.Writer, s *Shown) error { return document(w, s) }

// ShowText writes the Shown for a terminal. What the model wrote is shown
// through Visible: none of it is obeyed.
func ShowText(w io.Writer, v *Shown, s Style) error {
	sections := []string{
		showTitle(v, s),
		showVerdict(v, s),
		showPrompt(v.Prompt, s),
		showText("wanted", nil, answerText(v.Want), some, v.Want.IsList(), s),
	}
	if v.Reply != nil {
		sections = append(sections, showText("reply", replyFacts(v.Reply), v.Reply.text, most, v.Want.IsList(), s))
		if v.Reply.reasoning != "" {
			sections = append(sections, showText("reasoning", nil, v.Reply.reasoning, most, true, s))
		}
	}
	if v.Difference != nil {
		sections = append(sections, showDifference(v.Difference, s))
	}
	if v.Verdict != nil && len(v.Verdict.Measures) > 0 {
		sections = append(sections, hanging(s.paint(strong, left("measures", label)), joined(measures(v.Verdict.Measures), s.width()-label)))
	}
	if len(v.Attempts) > 1 || v.Failure != nil {
		sections = append(sections, showAttempts(v, s))
	}
	_, err := io.WriteString(w, strings.Join(slices.DeleteFunc(sections, func(t string) bool { return t == "" }), "\n"))
	return err
}

func showTitle(v *Shown, s Style) string {
	title := Visible(v.Item)
	if v.Trial > 0 {
		title += " · trial " + strconv.Itoa(v.Trial)
	}
	var where []string
	if v.Run.N > 0 {
		where = append(where, "run "+count(v.Run.N))
	}
	for _, name := range []string{v.Run.Name, v.Run.Model} {
		if name != "" {
			where = append(where, Visible(name))
		}
	}
	lines := append(broken(title, s.width()), broken(strings.Join(where, " · "), s.width())...)
	lines[0] = s.paint(strong, lines[0])
	return strings.Join(lines, "\n") + "\n"
}

// showVerdict says what became of the request, in words first.
func showVerdict(v *Shown, s Style) string {
	outcome := left(string(v.Outcome), label)
	switch {
	case v.Outcome == verbatim.Pass:
		outcome = s.paint(good, outcome)
	case v.Outcome.Answered():
		outcome = s.paint(bad, outcome)
	default:
		outcome = s.paint(alarm, outcome)
	}
	g := v.Verdict
	if g == nil {
		why := "There was no answer."
		if v.Failure != nil {
			why = failureText(v.Failure)
		}
		return hanging(outcome, wrapped(why, s.width()-label))
	}
	lines := wrapped(reason(v.Outcome, g), s.width()-label)
	judged := []string{"strict " + yes(g.Strict), "payload " + yes(g.Payload), "score " + scoreOf(g.Score)}
	if g.Repair != "" {
		judged = append(judged, "read by repair: "+Visible(g.Repair))
	}
	if len(g.Flags) > 0 {
		judged = append(judged, "flags "+Visible(strings.Join(g.Flags, ", ")))
	}
	judged = append(judged, "by "+Visible(g.Grader))
	return hanging(outcome, append(lines, joined(judged, s.width()-label)...))
}

// reason says why a reply was judged as it was, the label first.
func reason(o verbatim.Outcome, g *Verdict) string {
	var parts []string
	if g.Label != string(o) {
		parts = append(parts, Visible(g.Label))
	}
	if g.Detail != "" {
		parts = append(parts, "("+Visible(g.Detail)+")")
	}
	text := strings.Join(parts, " ")
	switch {
	case g.Explanation == "":
		return text
	case text == "":
		return g.Explanation
	}
	return text + ": " + g.Explanation
}

// label is the width of the words before the parts of a record.
const label = 12

// hanging puts a word, padded to the width of a label, before the first of some
// lines.
func hanging(word string, lines []string) string {
	return word + strings.Join(lines, "\n"+strings.Repeat(" ", label)) + "\n"
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
	return score(Mean{Value: v})
}

func failureText(f *ShownFailure) string {
	text := Visible(string(f.Class))
	if f.Status != 0 {
		text += " (HTTP " + strconv.Itoa(f.Status) + ")"
	}
	if f.Who != "" {
		text = Visible(f.Who) + ": " + text
	}
	if f.Message != "" {
		text += ": " + Visible(f.Message)
	}
	return text
}

func showPrompt(p verbatim.Prompt, s Style) string {
	var b strings.Builder
	for _, m := range p {
		b.WriteString(s.paint(strong, left("prompt", label)) + s.paint(faint, Visible(m.Role)) + "\n")
		for _, part := range m.Content {
			if part.Image != nil {
				b.WriteString(body("(image "+part.Image.Path+", "+count(int64(len(part.Image.Bytes)))+" bytes)", some, s, true))
				continue
			}
			b.WriteString(body(part.Text, some, s, true))
		}
	}
	return b.String()
}

// Of long texts only the start is shown: some characters of what was asked and
// wanted, most of what was answered. JSON has it all.
const (
	some = 1500
	most = 4000
)

// showText shows a text with its size. Lists and thoughts are broken between their
// words, and all else anywhere, since every character of it counts.
func showText(name string, parts []string, text string, chars int, prose bool, s Style) string {
	lines := joined(append([]string{size(text)}, parts...), s.width()-label)
	for i := range lines {
		lines[i] = s.paint(faint, lines[i])
	}
	head := hanging(s.paint(strong, left(name, label)), lines)
	if text == "" {
		return head
	}
	return head + body(text, chars, s, prose)
}

// size counts a text in characters, and in bytes where that differs.
func size(text string) string {
	if text == "" {
		return "nothing"
	}
	chars, bytes := characters(text), len(text)
	out := count(int64(chars)) + " characters"
	if chars == 1 {
		out = "1 character"
	}
	if bytes != chars {
		out += ", " + count(int64(bytes)) + " bytes"
	}
	return out
}

// characters counts code points, and bytes that are not UTF-8.
func characters(s string) int {
	n := 0
	for len(s) > 0 {
		_, size := decode(s)
		s, n = s[size:], n+1
	}
	return n
}

func replyFacts(r *ShownReply) []string {
	var parts []string
	if r.Finish != verbatim.FinishUnknown {
		finish := "finish " + Visible(string(r.Finish))
		if r.FinishRaw != "" && r.FinishRaw != string(r.Finish) {
			finish += " (" + Visible(r.FinishRaw) + ")"
		}
		parts = append(parts, finish)
	}
	if r.Seconds != nil {
		parts = append(parts, seconds(r.Seconds))
	}
	if r.FirstToken != nil {
		parts = append(parts, "first token "+seconds(r.FirstToken))
	}
	for _, u := range []struct {
		n    *int64
		what string
	}{{r.Usage.Prompt, "tokens in"}, {r.Usage.Completion, "tokens out"}, {r.Usage.Reasoning, "of them reasoning"}} {
		if u.n != nil {
			parts = append(parts, count(*u.n)+" "+u.what)
		}
	}
	if r.Cost != nil && *r.Cost > 0 {
		parts = append(parts, "cost "+r.Cost.String())
	}
	if r.Claimed != nil {
		parts = append(parts, "the server claims "+r.Claimed.String())
	}
	if r.ServedModel != "" {
		parts = append(parts, "served as "+Visible(r.ServedModel))
	}
	return parts
}

func measures(m map[string]float64) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	parts := make([]string, len(keys))
	for i, k := range keys {
		parts[i] = Visible(k) + " " + number(m[k])
	}
	return parts
}

func showAttempts(v *Shown, s Style) string {
	var b strings.Builder
	b.WriteString(s.paint(strong, "attempts") + "\n")
	for _, a := range v.Attempts {
		parts := []string{"done"}
		if a.Class != "" {
			parts[0] = Visible(string(a.Class))
		}
		if a.Status != 0 {
			parts[0] += " (HTTP " + strconv.Itoa(a.Status) + ")"
		}
		if a.Waited > 0 {
			parts = append(parts, "after a wait of "+seconds(&a.Waited))
		}
		parts = append(parts, "took "+seconds(&a.Seconds), count(a.Bytes)+" bytes")
		if a.Message != "" {
			parts = append(parts, Visible(a.Message))
		}
		if a.Cost != nil {
			parts = append(parts, "may have cost up to "+a.Cost.String())
		}
		if a.Partial != "" {
			parts = append(parts, "had sent: "+a.Partial)
		}
		b.WriteString(hanging(left("  try "+strconv.Itoa(a.N), label), joined(parts, s.width()-label)))
	}
	if v.Failure != nil && v.Failure.Hint != "" {
		b.WriteString(hanging(s.paint(alarm, left("  hint", label)), wrapped(Visible(v.Failure.Hint), s.width()-label)))
	}
	return b.String()
}
