package verifying

import (
	"fmt"

	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/task"
	"verbatim/internal/verdict/verification"
)

// A promptPlan is the plan of the texts, with the request at each of its positions.
type promptPlan struct {
	plan      app.Plan
	positions [2][]int64 // by trial and prompt
	request   func(position int64) (verbatim.Request, error)
	warmUp    *verification.WarmUp // nil: none
}

// drawPrompts draws the prompts of the texts.
func (p *pair) drawPrompts(seed uint64) (*promptPlan, error) {
	selection := p.options.Selection
	selection.Trials, selection.Seed = 2, seed
	drawn, err := selection.Plan()
	if err != nil {
		return nil, err
	}
	return newPromptPlan(drawn, p.arm, seed)
}

// newPromptPlan returns the plan of an arm, made from a plan with two trials. The default arm has that
// plan itself. The others have the same prompts in the same order, with nonces or warm-ups. They are
// items of their own, so that each run says what was sent.
func newPromptPlan(drawn app.Plan, arm verification.Arm, seed uint64) (*promptPlan, error) {
	deck, err := drawn.Deck()
	if err != nil {
		return nil, err
	}
	var dealt []task.Position
	type item struct{ cell, index int }
	prompts := map[item]int{}
	p := &promptPlan{plan: drawn}
	for position, ok := deck.Next(); ok; position, ok = deck.Next() {
		dealt = append(dealt, position)
		key := item{position.Cell, position.Index}
		if position.Trial == 0 {
			prompts[key] = len(prompts)
			p.positions[0] = append(p.positions[0], position.Seq)
			continue
		}
		if p.positions[1] == nil {
			p.positions[1] = make([]int64, len(prompts))
		}
		p.positions[1][prompts[key]] = position.Seq
	}
	p.request = func(position int64) (verbatim.Request, error) {
		it, err := deck.Item(dealt[position])
		if err != nil {
			return verbatim.Request{}, err
		}
		r := verbatim.Request{Seq: position, Trial: dealt[position].Trial, Attempt: 1, Item: it, Prompt: deck.Prompt(it)}
		r.Params.Structure = deck.Structure(it)
		return r, nil
	}
	if arm == verification.DefaultArm() {
		return p, nil
	}
	return p.inArm(arm, seed, deck, dealt)
}

// inArm returns the plan of another arm than the default one.
func (p *promptPlan) inArm(arm verification.Arm, seed uint64, deck *task.Deck, dealt []task.Position) (*promptPlan, error) {
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
