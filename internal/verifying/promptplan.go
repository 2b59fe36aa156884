package verifying

import (
	"fmt"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/task"
	"verbatim/internal/verdict/verification"
)

// A promptPlan is the plan of the texts, with what is at each position of it.
type promptPlan struct {
	plan      app.Plan
	positions [2][]int64 // by trial and prompt
	request   func(position int64) (verbatim.Request, error)
	warmUp    *verification.WarmUp // nil: none
}

// newPromptPlan returns the plan of an arm for a plan with two trials. The default arm has this
// plan. The others have the same prompts in the same order, with a nonce or warm-ups: as items of
// their own, so that each run says what was sent.
func newPromptPlan(drawn app.Plan, arm verification.Arm, seed uint64) (*promptPlan, error) {
	deck, err := drawn.Deck()
	if err != nil {
		return nil, err
	}
	var dealt []task.Position
	type item struct{ cell, index int }
	prompts := map[item]int{}
	p := &promptPlan{plan: drawn}
	for place, ok := deck.Next(); ok; place, ok = deck.Next() {
		dealt = append(dealt, place)
		key := item{place.Cell, place.Index}
		if place.Trial == 0 {
			prompts[key] = len(prompts)
			p.positions[0] = append(p.positions[0], place.Seq)
			continue
		}
		if p.positions[1] == nil {
			p.positions[1] = make([]int64, len(prompts))
		}
		p.positions[1][prompts[key]] = place.Seq
	}
	p.request = func(position int64) (verbatim.Request, error) {
		place := dealt[position]
		it, err := deck.Item(place)
		if err != nil {
			return verbatim.Request{}, err
		}
		r := verbatim.Request{Seq: position, Trial: place.Trial, Attempt: 1, Item: it, Prompt: deck.Prompt(it)}
		r.Params.Structure = deck.Structure(it)
		return r, nil
	}
	if arm == verification.DefaultArm() {
		return p, nil
	}
	return p.of(arm, seed, deck, dealt)
}

// of returns the plan of another arm.
func (p *promptPlan) of(arm verification.Arm, seed uint64, deck *task.Deck, dealt []task.Position) (*promptPlan, error) {
	n := len(p.positions[0])
	items, structures := make([]verbatim.Item, 2*n), make([]*verbatim.Structure, n)
	other := &promptPlan{}
	for k, position := range p.positions[0] {
		it, err := deck.Item(dealt[position])
		if err != nil {
			return nil, err
		}
		structures[k] = deck.Structure(it)
		applied := *deck.Applied(it)
		applied.Prompt = arm.Nonced(seed, applied.ID, applied.Prompt)
		for trial := range other.positions {
			applied.ID = fmt.Sprintf("verify@1/%s/%d/%d/%s", arm, k, trial, it.ID)
			items[trial*n+k] = applied
			other.positions[trial] = append(other.positions[trial], int64(trial*n+k))
		}
	}
	all := items
	if arm.Prefix == verification.Warm {
		other.warmUp = verification.NewWarmUp(items)
		all = append(items[:2*n:2*n], other.warmUp.Items()...)
	}
	other.request = func(position int64) (verbatim.Request, error) {
		it := &items[position]
		r := verbatim.Request{Seq: position, Attempt: 1, Item: it, Prompt: it.Prompt}
		r.Params.Structure = structures[int(position)%n]
		return r, nil
	}
	var err error
	other.plan, err = app.PlanOf(Kind, all)
	return other, err
}
