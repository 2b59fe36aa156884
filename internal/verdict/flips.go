package verdict

import "verbatim"

// flips are the items that one run has right more often than the other. With one trial
// these are the items that one run has right and the other has not.
type flips struct {
	OnlyA int64  `json:"only_a"` // A is right more often
	OnlyB int64  `json:"only_b"`
	List  []Flip `json:"list"` // the first ones, in planned order
}

// A Flip is one item of Flips.
type Flip struct {
	Item  string   `json:"item"`
	Right string   `json:"right"` // the run that is right more often: "a" or "b"
	A     FlipSide `json:"a"`
	B     FlipSide `json:"b"`
}

// A FlipSide sums up the answers of one run to the item. Outcome and Label are those of the
// first answer that is not right, or of the first answer if all are right.
type FlipSide struct {
	Right   int64            `json:"right"`
	Answers int64            `json:"answers"`
	Outcome verbatim.Outcome `json:"outcome"`
	Label   string           `json:"label"`
}

// add counts an item, if the runs differ, and lists it while fewer than limit are listed. All
// are listed if limit is negative.
func (f *flips) add(item *MatchedItem, limit int) {
	flip := Flip{Right: "a"}
	switch a, b := item.Runs[0].rightShare(), item.Runs[1].rightShare(); {
	case a > b:
		f.OnlyA++
	case a < b:
		f.OnlyB++
		flip.Right = "b"
	default:
		return
	}
	if limit >= 0 && len(f.List) >= limit {
		return
	}
	flip.Item, flip.A, flip.B = item.ID, flipSide(&item.Runs[0]), flipSide(&item.Runs[1])
	f.List = append(f.List, flip)
}

func flipSide(r *itemResult) FlipSide {
	return FlipSide{Right: r.Right, Answers: r.Answers, Outcome: r.outcome, Label: r.label}
}
