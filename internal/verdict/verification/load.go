package verification

import (
	"slices"

	"verbatim/internal/stats"
	"verbatim/internal/stats/change"
)

// A Load compares arms of one endpoint: how often it is exactly right with many requests in flight,
// and how often with few. It is no part of the verdict on two endpoints. Only exact answers are
// compared, since the texts of a healthy server may differ in another arm.
type Load struct {
	Endpoint string `json:"endpoint"`
	// Few and Many are the arms with few and with many requests in flight, in pairs.
	Few  []Arm `json:"few"`
	Many []Arm `json:"many"`
	// Prompts is the number of prompts with a first reply in each arm. ExactFew and ExactMany are
	// the numbers of exactly right first replies, of Prompts times the number of pairs.
	Prompts   int `json:"prompts"`
	ExactFew  int `json:"exact_few"`
	ExactMany int `json:"exact_many"`
	// BetterFew and BetterMany are the numbers of prompts with more right replies in the arms Few,
	// and in the arms Many. P is the p value of the exact sign test of both numbers, and Adjusted
	// that for all endpoints of a command, by Holm's method.
	BetterFew  int     `json:"better_few"`
	BetterMany int     `json:"better_many"`
	P          float64 `json:"p"`
	Adjusted   float64 `json:"p_adjusted"`
}

// FirstExact returns, by prompt, whether the first reply of a side is exactly right; nil: there is no
// reply.
func (t *Test) FirstExact(side int) []*bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	list := make([]*bool, len(t.prompts))
	for k := range t.prompts {
		if r := t.prompts[k][side][0]; r.state == replied {
			list[k] = &r.exact
		}
	}
	return list
}

// PairArms pairs the arms with the fewest requests in flight with the others, and returns their
// indexes. Arms with the same prefix are paired first. An arm without a partner is left out. In
// AllArms the two arms of a pair have different modes, in one pair this way and in the other the
// other way round.
func PairArms(arms []Arm) (few, many []int) {
	if len(arms) == 0 {
		return nil, nil
	}
	least := slices.MinFunc(arms, func(a, b Arm) int { return a.Concurrency - b.Concurrency }).Concurrency
	used := make([]bool, len(arms))
	for _, samePrefix := range []bool{true, false} {
		for i, a := range arms {
			if a.Concurrency != least || used[i] {
				continue
			}
			for k, b := range arms {
				if b.Concurrency > least && !used[k] && (!samePrefix || a.Prefix == b.Prefix) {
					few, many, used[i], used[k] = append(few, i), append(many, k), true, true
					break
				}
			}
		}
	}
	return few, many
}

// CompareLoads compares the arms of an endpoint. replies says, by arm and prompt, whether the first
// reply is exactly right (Test.FirstExact). All arms have the same prompts. An arm without any reply
// is left out. CompareLoads returns nil if no two arms can be compared.
//
// The null hypothesis is that the replies to a prompt with few and with many requests in flight are
// exchangeable. Then a prompt with more right replies in one of them could as well have had more in
// the other.
func CompareLoads(endpoint string, arms []Arm, replies [][]*bool) *Load {
	var lists [][]*bool // of the arms that are present
	var present []Arm
	for i, list := range replies {
		if slices.ContainsFunc(list, func(r *bool) bool { return r != nil }) {
			lists, present = append(lists, list), append(present, arms[i])
		}
	}
	few, many := PairArms(present)
	if len(few) == 0 {
		return nil
	}
	l := &Load{Endpoint: endpoint, P: 1, Adjusted: 1}
	for i := range few {
		l.Few, l.Many = append(l.Few, present[few[i]]), append(l.Many, present[many[i]])
	}
	right := func(of []int, k int) (n int, ok bool) {
		for _, i := range of {
			list := lists[i]
			if k >= len(list) || list[k] == nil {
				return 0, false
			}
			if *list[k] {
				n++
			}
		}
		return n, true
	}
	for k := range lists[few[0]] {
		a, okA := right(few, k)
		b, okB := right(many, k)
		if !okA || !okB {
			continue
		}
		l.Prompts, l.ExactFew, l.ExactMany = l.Prompts+1, l.ExactFew+a, l.ExactMany+b
		switch {
		case a > b:
			l.BetterFew++
		case b > a:
			l.BetterMany++
		}
	}
	l.P = change.ExactMcNemar(l.BetterFew, l.BetterMany)
	return l
}

// AdjustLoads adjusts the p values of all endpoints of a command.
func AdjustLoads(loads []*Load) {
	p := make([]float64, len(loads))
	for i, l := range loads {
		p[i] = l.P
	}
	for i, adjusted := range stats.Holm(p) {
		loads[i].Adjusted = adjusted
	}
}
