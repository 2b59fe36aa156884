package recordview

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"verbatim"
	"verbatim/internal/recordtest"
	"verbatim/internal/terminal"
)

// Pieces hold what the terminal shows, cut where lines may break: nothing is lost, and
// the two sides of a piece take the same number of columns.
func TestPieces(t *testing.T) {
	found := 0
	hidden := recordtest.Named{Name: "hidden", Rec: recordtest.TextRecord("K9m\u200bX7BaQ2pL0sT4v", "K9mxX7BaQ2pL0sT4v", "confusable", "")} // wide only where it is wanted
	for _, n := range append(recordtest.Records(), hidden) {
		d := New(verbatim.Run{}, n.Rec).Difference
		if d == nil || len(d.chars) == 0 {
			continue
		}
		found++
		var want, reply strings.Builder
		for _, c := range d.chars {
			want.WriteString(strings.TrimSpace(c.want))
			reply.WriteString(strings.TrimSpace(c.reply))
		}
		var gotWant, gotReply strings.Builder
		for _, p := range d.Segments() {
			gotWant.WriteString(p.Want)
			gotReply.WriteString(p.Reply)
			if p.Op != opSkipped && terminal.Width(p.Want) != terminal.Width(p.Reply) {
				t.Errorf("%s: %q and %q are not as wide", n.Name, p.Want, p.Reply)
			}
			if cells := characters(strings.ReplaceAll(p.Want, " ", "")); p.Op == opSame && cells > 8*maxSegment {
				t.Errorf("%s: a piece of %d characters", n.Name, cells)
			}
		}
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		if bare(gotWant.String()) != bare(want.String()) || bare(gotReply.String()) != bare(reply.String()) {
			t.Errorf("%s: the pieces are %q and %q, want %q and %q", n.Name, gotWant.String(), gotReply.String(), want.String(), reply.String())
		}
	}
	if found < 5 {
		t.Fatalf("only %d records have aligned texts", found)
	}
}

func TestPairs(t *testing.T) {
	d := New(verbatim.Run{}, recordtest.ListRecord(recordtest.Words("a b c d e"), "['b', 'x', 'd', 'e', 'a']", "mixed", "")).Difference
	var got []string
	for _, p := range d.Pairs() {
		got = append(got, p.Op+" "+p.Want+" "+p.Reply+" "+p.Note)
	}
	want := "moved 'a'  given at 4|same 'b' 'b' |changed 'c' 'x' |same 'd' 'd' |same 'e' 'e' |moved  'a' expected at 0"
	if strings.Join(got, "|") != want {
		t.Errorf("the pairs are %q, want %q", strings.Join(got, "|"), want)
	}
}

// Lines are safe, and their number is that of the text's lines.
func TestLines(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.OneOf(rapid.String(), rapid.SampledFrom([]string{"a  \n\nb\n\n", "\n", "", "\x1b[31m\r\n\u202e"})).Draw(t, "text")
		lines := Lines(text)
		if n := strings.Count(strings.TrimRight(text, "\n"), "\n") + 1; len(lines) != n {
			t.Fatalf("%d lines of %q, want %d", len(lines), text, n)
		}
		for _, line := range lines {
			if terminal.Visible(line) != line && !strings.ContainsAny(line, "␀␁␂␃␄␅␆␇␈␉␊␋␌␍␎␏␐␑␒␓␔␕␖␗␘␙␚␛␜␝␞␟␠␡") {
				t.Fatalf("%q holds what cannot be seen", line)
			}
		}
	})
	if got := strings.Join(Lines("a  \n\nb\n\n"), "|"); got != "a␠␠||b␊␊" {
		t.Errorf("the lines are %q", got)
	}
}
