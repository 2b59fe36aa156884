package verdict_test

import (
	"errors"
	"strings"
	"testing"

	"verbatim"
	"verbatim/internal/verdict"
	"verbatim/internal/verdict/verdicttest"
)

// TestRefusals changes one field at a time, and wants the error to name it.
func TestRefusals(t *testing.T) {
	cells := []verbatim.Cell{{Family: "copy", Version: 1, Length: verbatim.Lengths{Min: 8, Max: 8}, N: 3}}
	for _, c := range []struct {
		field  string
		change func(*verdict.Side)
	}{
		{"run", func(s *verdict.Side) { *s = verdicttest.SideOfScores("a", 1, 1, 1) }},
		{"edition", func(s *verdict.Side) { s.Run.Plan.Edition = verbatim.Paper }},
		{"seed", func(s *verdict.Side) { s.Run.Plan.Seed = 7 }},
		{"version of family copy", func(s *verdict.Side) {
			s.Run.Plan.Cells = []verbatim.Cell{{Family: "copy", Version: 2, Length: verbatim.Lengths{Min: 8, Max: 8}, N: 3}}
		}},
		{"prompt", func(s *verdict.Side) { s.Run.Plan.Variant = &verbatim.Variant{Shots: 3} }},
		{"items", func(s *verdict.Side) { // nothing in common
			s.Run.Plan.Hash, s.Records = "q", verdicttest.EachRecord([]verbatim.Record{verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 9, 0), 0, 1)})
		}},
		{"items", func(s *verdict.Side) { // nothing answered
			s.Records = verdicttest.EachRecord([]verbatim.Record{verdicttest.LostRecord(0, verdicttest.MakeItem("copy", 8, 0), 0)})
		}},
		{"items", func(s *verdict.Side) { s.Records = verdicttest.EachRecord(nil) }},
		{"items", func(s *verdict.Side) { // the same position twice
			r := verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 8, 0), 0, 1)
			s.Records = verdicttest.EachRecord([]verbatim.Record{r, r})
		}},
		{"items", func(s *verdict.Side) { // the same item twice in a trial, at two positions
			r := verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 8, 0), 0, 1)
			s.Run.Plan.Hash, s.Records = "q", verdicttest.EachRecord([]verbatim.Record{r, verdicttest.MakeRecord(1, r.Item, 0, 1)})
		}},
		{"grader", func(s *verdict.Side) {
			r := verdicttest.MakeRecord(0, verdicttest.MakeItem("copy", 8, 0), 0, 1)
			r.Grade.Grader = "text/3"
			s.Records = verdicttest.EachRecord([]verbatim.Record{r})
		}},
	} {
		a, b := verdicttest.SideOfScores("a", 1, 1, 1), verdicttest.SideOfScores("bb", 1, 1, 1)
		a.Run.Plan.Cells, b.Run.Plan.Cells = cells, cells
		c.change(&b)
		_, err := verdict.Compare(a, b, verdicttest.SmallOptions())
		var r *verdict.Refusal
		if !errors.As(err, &r) {
			t.Errorf("%s: error %v", c.field, err)
			continue
		}
		if r.Field != c.field || r.Hint() == "" || !r.Misuse() || !strings.Contains(r.Error(), "a and ") {
			t.Errorf("%s: %+v: %v", c.field, r, r)
		}
	}
	own := func(sum string) verdict.Side {
		s := verdicttest.SideOfScores("a"+sum, 1, 1)
		s.Run.Plan.Suite, s.Run.Plan.Hash, s.Run.Plan.Items = "items", sum, &verbatim.ItemFile{Name: "mine.jsonl", SHA256: sum}
		return s
	}
	var r *verdict.Refusal
	if _, err := verdict.Compare(own("1"), own("2"), verdicttest.SmallOptions()); !errors.As(err, &r) || r.Field != "items file" {
		t.Errorf("other files of items: %v", err)
	}
}
