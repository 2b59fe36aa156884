package page

import (
	"strconv"

	"verbatim/internal/number"
	"verbatim/internal/recordview"
	"verbatim/internal/terminal"
)

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
