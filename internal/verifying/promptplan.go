package verifying

import (
	"verbatim"
	"verbatim/internal/app"
	"verbatim/internal/task"
)

// A promptPlan is the plan of the texts, with the request at each of its positions.
type promptPlan struct {
	plan      app.Plan
	positions [2][]int64 // by trial and prompt
	request   func(position int64) (verbatim.Request, error)
}

// drawPrompts draws the prompts of the texts.
func (p *pair) drawPrompts(seed uint64) (*promptPlan, error) {
	selection := p.options.Selection
	selection.Trials, selection.Seed = 2, seed
	drawn, err := selection.Plan()
	if err != nil {
		return nil, err
	}
	return newPromptPlan(drawn)
}

// newPromptPlan returns the plan of the texts, made from a plan with two trials.
func newPromptPlan(drawn app.Plan) (*promptPlan, error) {
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
	return p, nil
}
