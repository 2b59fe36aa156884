package metamorphic

import (
	"iter"
	"reflect"
	"slices"
	"testing"
	"time"
)

// simplify returns a script that differs, and of which nothing can be left out so that it still does. It
// stops at a time.
func simplify(s script, differs func(script) bool, until time.Time) script {
	for {
		found := false
		for simpler := range s.simpler() {
			if time.Now().After(until) {
				return s
			}
			if found = differs(simpler); found {
				s = simpler
				break
			}
		}
		if !found {
			return s
		}
	}
}

// simpler yields the scripts that are one step simpler, the greatest steps first.
func (s script) simpler() iter.Seq[script] {
	return func(yield func(script) bool) {
		for _, ops := range shorter(s.ops) {
			if !yield(script{s.plan, s.models, ops}) {
				return
			}
		}
		for _, models := range shorter(s.models) {
			if len(models) > 0 && !yield(script{s.plan, models, s.ops}) {
				return
			}
		}
		for _, p := range s.plan.simpler() {
			if !yield(script{p, s.models, s.ops}) {
				return
			}
		}
		for i, o := range s.ops {
			for _, o := range o.simpler() {
				if !yield(script{s.plan, s.models, replaced(s.ops, i, o)}) {
					return
				}
			}
		}
		for i, m := range s.models {
			for _, m := range []model{{"", m.kind}, {m.wire, "sim:perfect"}, {m.wire, "sim:sloppy?cut=0&down=0&half=4"}} {
				if m != s.models[i] && len(m.kind) < len(s.models[i].kind)+len(s.models[i].wire) && !yield(script{s.plan, replaced(s.models, i, m), s.ops}) {
					return
				}
			}
		}
	}
}

func (p plan) simpler() (list []plan) {
	for _, n := range fewer(p.items) {
		q := p
		q.items = n
		list = append(list, q)
	}
	for _, n := range fewer(p.trials) {
		q := p
		q.trials = n
		list = append(list, q)
	}
	for _, tasks := range shorter(p.tasks) {
		if q := p; len(tasks) > 0 {
			q.tasks = tasks
			list = append(list, q)
		}
	}
	for _, lengths := range shorter(p.lengths) {
		if q := p; len(lengths) > 0 {
			q.lengths = lengths
			list = append(list, q)
		}
	}
	for _, extras := range shorter(p.extras) {
		q := p
		q.extras = extras
		list = append(list, q)
	}
	return list
}

func (o op) simpler() (list []op) {
	for _, options := range shorter(o.options) {
		list = append(list, op{o.verb, o.only, options, o.end})
	}
	if o.end.at != "" {
		list = append(list, op{o.verb, o.only, o.options, end{}})
		for _, n := range fewer(o.end.n) {
			list = append(list, op{o.verb, o.only, o.options, end{o.end.at, n, o.end.signal}})
		}
	}
	if o.only != 0 {
		list = append(list, op{o.verb, 0, o.options, o.end})
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

// shorter returns the list without one of its halves, and without each of its elements.
func shorter[T any](list []T) (all [][]T) {
	if n := len(list); n > 3 {
		all = append(all, list[n/2:], list[:n/2])
	}
	for i := range list {
		all = append(all, slices.Delete(slices.Clone(list), i, i+1))
	}
	return all
}

func replaced[T any](list []T, i int, by T) []T {
	list = slices.Clone(list)
	list[i] = by
	return list
}

// A planted difference is reduced to what it needs: one operation with one option after another one, and
// two items.
func TestSimplify(t *testing.T) {
	slow := func(o option) bool { return o.flags == "--no-stream" }
	differs := func(s script) bool {
		moved := slices.IndexFunc(s.ops, func(o op) bool { return o.verb == move })
		asked := slices.IndexFunc(s.ops, func(o op) bool { return o.verb == run && slices.ContainsFunc(o.options, slow) && o.end.n > 2 })
		return s.plan.items > 1 && moved >= 0 && asked > moved
	}
	found := 0
	for seed := range uint64(3000) {
		s := draw(seed)
		if !differs(s) {
			continue
		}
		found++
		got := simplify(s, differs, time.Now().Add(time.Minute))
		last := got.ops[len(got.ops)-1]
		if got.plan.items != 2 || got.plan.trials != 1 || len(got.plan.tasks)+len(got.plan.lengths)+len(got.models) != 3 || got.plan.extras != nil && len(got.plan.extras) > 0 ||
			len(got.ops) != 2 || !reflect.DeepEqual(got.ops[0], op{verb: move}) || len(last.options) != 1 || last.end.n != 3 || last.only != 0 || got.models[0].wire != "" {
			t.Errorf("script %d was reduced to %+v", seed, got)
		}
	}
	if found < 10 {
		t.Errorf("only %d scripts differ", found)
	}
}
