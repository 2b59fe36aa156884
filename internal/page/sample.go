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
	"verbatim/internal/layout"
	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/report"
	"verbatim/internal/terminal"
	"verbatim/internal/verdict"
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

// A diffView shows the differences of a reply from the expected answer: as a list, and as
// the two texts aligned. A sign, and not only a colour, tells the kind of a difference.
type diffView struct {
	Notes       []string
	Edits       []editView
	More        string               // the number of edits that are not listed
	Pieces      []recordview.Segment // of texts
	Pairs       []recordview.Pair    // of lists
	Want, Reply string               // if nothing could be aligned
}

// An editView is one difference as a text.
type editView struct{ Word, Class, Text string }

// mostEdits is the largest number of differences that are listed.
const mostEdits = 8

func newDiffView(d *recordview.Difference) *diffView {
	v := &diffView{Notes: d.Notes, Pieces: d.Segments(), Pairs: d.Pairs()}
	for i, e := range d.Edits {
		if i == mostEdits {
			v.More = number.Count(int64(len(d.Edits) - mostEdits))
			break
		}
		v.Edits = append(v.Edits, newEditView(e, d.Unit))
	}
	if len(v.Pieces) == 0 && len(v.Pairs) == 0 {
		v.Want, v.Reply = d.Unaligned()
	}
	return v
}

// newEditView describes a difference. Positions count from 0, as in the details of a grade.
func newEditView(e recordview.Edit, unit string) editView {
	const most = 60
	want, reply := quoted(terminal.Truncate(e.Want, most)), quoted(terminal.Truncate(e.Reply, most))
	at := e.WantAt
	if at < 0 {
		at = e.ReplyAt
	}
	where := " at character " + strconv.Itoa(at)
	if unit == "items" {
		where = " at item " + strconv.Itoa(at)
	}
	switch e.Op {
	case recordview.OpMissing:
		return editView{e.Op, "vb-worse", want + where}
	case recordview.OpExtra:
		return editView{e.Op, "vb-worse", reply + where}
	case recordview.OpMoved:
		if e.Want == "" {
			want = reply
		}
		return editView{e.Op, "vb-worse", want + where}
	}
	return editView{"changed", "vb-worse", reply + " in place of " + want + where}
}

func quoted(s string) string { return "“" + s + "”" }

// A flipView lists items that one side of a comparison has right and the other wrong.
type flipView struct {
	ID, Title, Head string
	A, B            string // names
	OnlyA, OnlyB    string
	Rows            []flipRow
}

// A flipRow is one item.
type flipRow struct {
	Item  string
	Cells [2]flipCell // of A and of B
	Show  string      // the command that shows the answer of the side that fails
}

// A flipCell is the result of one side.
type flipCell struct{ Sign, Text, Class, Title string }

// flips returns the items that flip, for each comparison that has any.
func flips(r *report.Report) []flipView {
	var list []flipView
	program := terminal.ShellProgram{Database: r.Database}
	for i, c := range r.Comparisons {
		if c.Flips.OnlyA+c.Flips.OnlyB == 0 {
			continue
		}
		a, b := layout.PairNames(c)
		v := flipView{
			ID: "flips-" + strconv.Itoa(i), A: terminal.Truncate(a, 60), B: terminal.Truncate(b, 60), Head: layout.DifferingTitle(c),
			OnlyA: number.Count(c.Flips.OnlyA), OnlyB: number.Count(c.Flips.OnlyB),
		}
		v.Title = v.B + " vs " + v.A
		for j := range c.Flips.List {
			f := &c.Flips.List[j]
			failing := c.B.Ref
			if f.Right == "b" {
				failing = c.A.Ref
			}
			v.Rows = append(v.Rows, flipRow{
				Item: terminal.Truncate(terminal.Visible(f.Item), 120), Cells: [2]flipCell{newFlipCell(&f.A), newFlipCell(&f.B)},
				Show: program.Show(failing, f.Item),
			})
		}
		list = append(list, v)
	}
	return list
}

func newFlipCell(f *verdict.FlipSide) flipCell {
	c := flipCell{"✗", terminal.Truncate(terminal.Visible(f.Label), 40), "vb-worse", recordview.Explain(f.Label)}
	if f.Right == f.Answers {
		c = flipCell{"✓", "right", "vb-better", ""}
	}
	if f.Answers > 1 {
		c.Text += " (" + number.Count(f.Right) + " of " + number.Count(f.Answers) + " right)"
	}
	return c
}
