package metamorphic

import (
	"slices"
	"testing"
	"time"
)

// simplify returns a script that differs, and of which nothing can be left out so that it still does. It
// stops at a time.
func simplify(s script, differs func(script) bool, until time.Time) script {
	for {
		list := s.simpler()
		i := slices.IndexFunc(list, func(c script) bool { return time.Now().Before(until) && differs(c) })
		if i < 0 {
			return s
		}
		s = list[i]
	}
}

// simpler returns the scripts that are one step simpler, the greatest steps first.
func (s script) simpler() (list []script) {
	add := func(change func(*script)) {
		c := s
		c.ops, c.models = slices.Clone(s.ops), slices.Clone(s.models)
		change(&c)
		list = append(list, c)
	}
	for _, ops := range shorter(s.ops, 0) {
		add(func(c *script) { c.ops = ops })
	}
	for _, models := range shorter(s.models, 1) {
		add(func(c *script) { c.models = models })
	}
	for _, n := range fewer(s.plan.items) {
		add(func(c *script) { c.plan.items = n })
	}
	for _, n := range fewer(s.plan.trials) {
		add(func(c *script) { c.plan.trials = n })
	}
	for _, tasks := range shorter(s.plan.tasks, 1) {
		add(func(c *script) { c.plan.tasks = tasks })
	}
	for _, lengths := range shorter(s.plan.lengths, 1) {
		add(func(c *script) { c.plan.lengths = lengths })
	}
	for _, prompt := range shorter(s.plan.prompt, 0) {
		add(func(c *script) { c.plan.prompt = prompt })
	}
	for _, params := range shorter(s.plan.params, 1) {
		add(func(c *script) { c.plan.params = params })
	}
	for i, m := range s.models {
		if m.wire != "" {
			add(func(c *script) { c.models[i].wire = "" })
		}
	}
	for i, o := range s.ops {
		for _, options := range shorter(o.options, 0) {
			add(func(c *script) { c.ops[i].options = options })
		}
		if o.end.at != "" {
			add(func(c *script) { c.ops[i].end = end{} })
		}
		for _, n := range fewer(o.end.n) {
			add(func(c *script) { c.ops[i].end.n = n })
		}
		if o.only != 0 {
			add(func(c *script) { c.ops[i].only = 0 })
		}
	}
	return list
}

// fewer returns smaller numbers, at least 1.
func fewer(n int) []int {
	switch {
	case n <= 1:
		return nil
	case n <= 3:
		return []int{n - 1}
	}
	return []int{n / 2, n - 1}
}

// shorter returns the list without one of its halves, and without each of its elements, if it keeps as
// many as least.
func shorter[T any](list []T, least int) (all [][]T) {
	n := len(list)
	if n > 3 {
		all = append(all, list[n/2:], list[:n/2])
	}
	for i := range list {
		if n > least {
			all = append(all, slices.Delete(slices.Clone(list), i, i+1))
		}
	}
	return all
}

// A planted difference is reduced to what it needs: after a move, one option and a late end, on two items.
func TestSimplify(t *testing.T) {
	differs := func(s script) bool {
		moved := slices.IndexFunc(s.ops, func(o op) bool { return o.verb == move })
		asked := slices.IndexFunc(s.ops, func(o op) bool {
			return o.verb == run && o.end.n > 2 && slices.ContainsFunc(o.options, func(o option) bool { return o.flags == "--no-stream" })
		})
		return s.plan.items > 1 && moved >= 0 && asked > moved
	}
	found := 0
	for seed := range uint64(3000) {
		s := draw(seed)
		if !differs(s) {
			continue
		}
		found++
		s = simplify(s, differs, time.Now().Add(time.Minute))
		p, last := s.plan, s.ops[len(s.ops)-1]
		if p.items != 2 || p.trials+len(p.tasks)+len(p.lengths)+len(s.models) != 4 || len(p.prompt) != 0 || len(p.params) != 1 || s.models[0].wire != "" ||
			len(s.ops) != 2 || s.ops[0].end.at != "" || len(last.options) != 1 || last.end.n != 3 || last.only != 0 {
			t.Errorf("script %d was reduced to %+v", seed, s)
		}
	}
	if found < 10 {
		t.Errorf("only %d scripts differ", found)
	}
}
