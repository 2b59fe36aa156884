package verdict

import "verbatim"

// Flips are the items that one side has right more often than the other: where
// each was asked once, those that one has right and the other has not.
type Flips struct {
	OnlyA int64  `json:"only_a"` // A is right more often
	OnlyB int64  `json:"only_b"`
	List  []Flip `json:"list"` // the first ones, in planned order
}

// A Flip is one such item.
type Flip struct {
	Item  string   `json:"item"`
	Right string   `json:"right"` // the side that is right more often: "a" or "b"
	A     FlipSide `json:"a"`
	B     FlipSide `json:"b"`
}

// A FlipSide is what one side said: its first answer that is not right, or that
// it is right.
type FlipSide struct {
	Right   int64            `json:"right"`
	Answers int64            `json:"answers"`
	Outcome verbatim.Outcome `json:"outcome"`
	Label   string           `json:"label"`
}

// add takes a pair in, and lists it unless most are listed; most below 0 is no
// bound.
func (f *Flips) add(p *pair, most int) {
	x, y := &p.halves[0], &p.halves[1]
	flip := Flip{Right: "a"}
	switch a, b := x.share(x.right), y.share(y.right); {
	case a > b:
		f.OnlyA++
	case a < b:
		f.OnlyB++
		flip.Right = "b"
	default:
		return
	}
	if most >= 0 && len(f.List) >= most {
		return
	}
	flip.Item, flip.A, flip.B = p.item, flipSide(x), flipSide(y)
	f.List = append(f.List, flip)
}

func flipSide(h *half) FlipSide {
	return FlipSide{Right: h.right, Answers: h.answers, Outcome: h.outcome, Label: h.label}
}
