package upstream

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/number"
)

// Failed counts the attempts that failed at an upstream. Another upstream may have answered the
// retries.
type Failed struct {
	Requests int64        `json:"requests"` // with a failed attempt
	Attempts int64        `json:"attempts"`
	Classes  []ClassCount `json:"classes"` // of the attempts, the most frequent first
}

// A ClassCount is the number of attempts with a failure class.
type ClassCount struct {
	Name verbatim.Class `json:"name"`
	N    int64          `json:"n"`
}

// Merge adds the counts of another Failed.
func (f *Failed) Merge(o *Failed) {
	f.Requests += o.Requests
	f.Attempts += o.Attempts
	for _, c := range o.Classes {
		f.count(c.Name, c.N)
	}
}

// count adds n attempts of a class.
func (f *Failed) count(class verbatim.Class, n int64) {
	i := slices.IndexFunc(f.Classes, func(c ClassCount) bool { return c.Name == class })
	if i < 0 {
		i, f.Classes = len(f.Classes), append(f.Classes, ClassCount{Name: class})
	}
	f.Classes[i].N += n
	slices.SortStableFunc(f.Classes, func(a, b ClassCount) int { return cmp.Or(cmp.Compare(b.N, a.N), cmp.Compare(a.Name, b.Name)) })
}

// Words says how many attempts failed, and why.
func (f *Failed) Words() string {
	return fmt.Sprintf("%s at %s failed (%s)", number.Plural(f.Attempts, "attempt", "attempts"), number.Plural(f.Requests, "request", "requests"), f.ClassWords())
}

// ClassWords lists the failure classes with their numbers.
func (f *Failed) ClassWords() string {
	parts := make([]string, len(f.Classes))
	for i, c := range f.Classes {
		parts[i] = string(c.Name) + " " + number.Count(c.N)
	}
	return strings.Join(parts, ", ")
}

// Failures are what failed at each upstream, by its name.
type Failures map[string]*Failed

// maxNames bounds the number of upstreams of Failures, because servers choose the names.
const maxNames = 64

// Merge adds other failures. Those of new upstreams are dropped when there are maxNames.
func (f Failures) Merge(others Failures) {
	for name, failed := range others {
		if f[name] == nil {
			if len(f) == maxNames {
				continue
			}
			f[name] = new(Failed)
		}
		f[name].Merge(failed)
	}
}

// Unnamed replaces the name of an upstream whose response does not name it.
const Unnamed = "(not named)"

// FailedOf returns the attempts at a request that failed at upstreams; nil if there are none. If the
// reply names its upstream, there is a router, and an attempt without a name is Unnamed: LiteLLM
// names who answered, and not who failed.
func FailedOf(rec *verbatim.Record) Failures {
	attempts := rec.Attempts()
	routed := rec.Reply != nil && len(attempts) > 1 && Of(rec.Reply.Applied) != ""
	var all Failures
	for i := range attempts {
		a := &attempts[i]
		name := a.Upstream
		if name == "" && routed && a.Class != verbatim.Transport && a.Class != verbatim.Deadline { // these have no response
			name = Unnamed
		}
		if a.Class == "" || name == "" {
			continue
		}
		if all == nil {
			all = Failures{}
		}
		if all[name] == nil {
			all[name] = &Failed{Requests: 1}
		}
		all[name].Attempts++
		all[name].count(a.Class, 1)
	}
	return all
}

// Words says, for each upstream in the order of the names, what failed.
func (f Failures) Words() []string {
	var list []string
	for _, name := range slices.Sorted(maps.Keys(f)) {
		list = append(list, name+": "+f[name].Words())
	}
	return list
}
