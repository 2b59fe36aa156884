package page

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"html/template"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"

	"verbatim/internal/terminal"
)

// A sampleView holds the samples of one run, by family and label.
type sampleView struct {
	ID, Name string
	Ink      ink
	Note     string
	Families []sampleFamily
}

// A sampleFamily holds the samples of one family.
type sampleFamily struct {
	Name, Note string
	Labels     []sampleLabel
}

// A sampleLabel holds the samples with one label, or the right ones.
type sampleLabel struct {
	Name, Explanation, Note string
	Samples                 []sampleItem
}

// A sampleItem is one answer. All its texts are Visible.
type sampleItem struct {
	Item, Trial, Outcome, Class string
	Reason                      string
	Prompt                      []sampleText
	Want                        sampleText
	Reply, Reasoning            *sampleText
	Difference                  *diffView
	Command                     string
	Open                        bool // the prompt is not folded
}

// A sampleText is a text with a note, such as its size, and its pictures. If an answer was found
// in it, Text is the part before the answer and After the part behind it.
type sampleText struct {
	Name, Note, Text string
	Answer, After    string
	Rule             string         // how the answer was found, in words
	Pictures         []template.URL // of PNG, as data
}

// samples returns the samples of each run that has any.
func samples(r *report.Report) []sampleView {
	if r.Samples == nil {
		return nil
	}
	names := report.RunNames(r.Runs)
	var list []sampleView
	for run := range r.Runs {
		v := sampleView{ID: "samples-" + strconv.Itoa(run), Name: names[run], Ink: inkOf(run)}
		n := 0
		for i := range r.Samples.List {
			s := &r.Samples.List[i]
			if s.Run != run || s.View == nil {
				continue
			}
			l := v.label(s)
			l.Samples = append(l.Samples, newSampleItem(s, r.Database, recordview.ThumbnailSide))
			n++
		}
		if n == 0 {
			continue
		}
		v.Note = fmt.Sprintf("%s of %s answers", number.Count(int64(n)), number.Count(r.Runs[run].Total.Answered))
		v.settle()
		list = append(list, v)
	}
	return list
}

// rightSamples is the name of the list of exact answers.
const rightSamples = "right"

// label returns the list of the samples with the family and the label of s. A missing
// list is added.
func (v *sampleView) label(s *report.Sample) *sampleLabel {
	family := terminal.Truncate(terminal.Visible(cmp.Or(s.Facts["family"], "items")), 60)
	f := slices.IndexFunc(v.Families, func(f sampleFamily) bool { return f.Name == family })
	if f < 0 {
		v.Families, f = append(v.Families, sampleFamily{Name: family}), len(v.Families)
	}
	name, explanation := "no label", ""
	if g := s.Verdict; g != nil {
		name, explanation = terminal.Truncate(terminal.Visible(g.Label), 60), g.Explanation
		if g.Exact {
			name = rightSamples
		}
	}
	labels := &v.Families[f].Labels
	l := slices.IndexFunc(*labels, func(l sampleLabel) bool { return l.Name == name })
	if l < 0 {
		*labels, l = append(*labels, sampleLabel{Name: name, Explanation: explanation}), len(*labels)
	}
	return &(*labels)[l]
}

// settle fills in the notes with the numbers of samples, and moves the right ones to the end.
func (v *sampleView) settle() {
	for i := range v.Families {
		f := &v.Families[i]
		if at := slices.IndexFunc(f.Labels, func(l sampleLabel) bool { return l.Name == rightSamples }); at >= 0 {
			right := f.Labels[at]
			f.Labels = append(slices.Delete(f.Labels, at, at+1), right)
		}
		var parts []string
		for j := range f.Labels {
			l := &f.Labels[j]
			l.Note = number.Count(int64(len(l.Samples)))
			parts = append(parts, l.Name+" "+l.Note)
		}
		f.Note = strings.Join(parts, ", ")
	}
}

// newSampleItem returns the view of a sample. Its pictures have at most side pixels in width
// and height. database is the file that its command names; empty: the default one.
func newSampleItem(s *report.Sample, database string, side int) sampleItem {
	cut := func(field string) bool { return slices.Contains(s.Cut, field) }
	v := sampleItem{
		Item: terminal.Visible(s.Item), Outcome: string(s.Outcome), Class: "vb-worse", Reason: recordview.Reason(s.View),
		Want: newSampleText("expected", recordview.AnswerText(s.Want), cut("want"), ""),
	}
	if s.Verdict != nil && s.Verdict.Exact {
		v.Class = "vb-better"
	}
	if s.Trial > 0 {
		v.Trial = strconv.Itoa(s.Trial)
	}
	for _, m := range s.Prompt {
		v.Prompt = append(v.Prompt, newMessageText(m, side))
	}
	if n := len(v.Prompt); n > 0 && cut("messages") {
		v.Prompt[n-1].Note = "only the beginning"
	}
	if r := s.Reply; r != nil {
		text, reasoning := r.Received()
		reply := newSampleText("reply", text, cut("reply.text"), number.Count(int64(r.Bytes))+" bytes")
		reply.Note = strings.Join(append(recordview.ReplyFacts(r), reply.Note), " · ")
		reply.mark(s.View)
		v.Reply = &reply
		if reasoning != "" {
			thought := newSampleText("reasoning", reasoning, cut("reply.reasoning"), "")
			v.Reasoning = &thought
		}
	}
	if s.Difference != nil {
		v.Difference = newDiffView(s.Difference)
	}
	if !cut("item") && !cut("run") {
		v.Command = showCommand(s, database)
	}
	return v
}

// newSampleText returns the view of a text. cut says that only its beginning is saved; of is
// then the size of the whole text, if known.
func newSampleText(name, text string, cut bool, of string) sampleText {
	t := sampleText{Name: name, Note: recordview.SizeText(text), Text: strings.Join(recordview.Lines(text), "\n")}
	switch {
	case cut && of != "":
		t.Note = "the first " + recordview.SizeText(text) + " of " + of
	case cut:
		t.Note = "only the first " + recordview.SizeText(text)
	}
	return t
}

// mark marks the answer that was found in a reply, and names the rule that found it.
func (t *sampleText) mark(v *recordview.View) {
	if v.Verdict == nil || v.Verdict.Rule == "" {
		return
	}
	parts := v.MarkAnswer()
	t.Text, t.Answer, t.After = parts.Before, parts.Answer, parts.After
	t.Rule = "answer found by: " + terminal.Truncate(terminal.Visible(v.Verdict.Rule), 60)
	switch {
	case parts.Answer != "":
		t.Rule = "marked " + t.Rule
	case v.HasAnswerSpan():
		t.Rule += "; it is after the part that is shown"
	}
}

// newMessageText returns the view of a message. In the text, each picture is named at its place.
func newMessageText(m verbatim.Message, side int) sampleText {
	text := ""
	var pictures []template.URL
	for _, part := range m.Content {
		if part.Image == nil {
			text += part.Text
			continue
		}
		if text != "" {
			text += "\n"
		}
		text += strings.TrimSuffix("(image "+part.Image.Path, " ") + ")"
		if small := recordview.Thumbnail(part.Image, side); small != nil {
			pictures = append(pictures, template.URL("data:image/png;base64,"+base64.StdEncoding.EncodeToString(small)))
		}
	}
	t := newSampleText(cmp.Or(terminal.Visible(m.Role), "prompt"), text, false, "")
	t.Pictures = pictures
	return t
}

// showCommand returns the command that prints a whole sample.
func showCommand(s *report.Sample, database string) string {
	ref := s.View.Run.Name
	if s.View.Run.N > 0 {
		ref = strconv.FormatInt(s.View.Run.N, 10)
	}
	var flags []string
	if s.Trial > 0 {
		flags = []string{"--trial", strconv.Itoa(s.Trial)}
	}
	return terminal.ShellProgram{Database: database}.Show(ref, s.Item, flags...)
}
