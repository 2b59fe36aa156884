// Package damage spoils right answers: it has a spoiler for each failure label of package grade.
// Simulated models, the fake server and selfcheck make replies with it whose labels are known.
// Tests of the graders check that each label is reached.
//
//	for _, s := range damage.Spoilers("text") {
//		reply, ok := s.Spoil(rng, item)
//	}
//
// Right is the right reply to an item. Everything is drawn from the given generator. A new failure label
// is one line, with its function, in the tables of spoiler.go, list.go or json.go.
//
// A spoiler returns ok = false if an item leaves it no room: a text is too short, has no letters whose
// case can change, or no source. With ok = true the reply is wrong in the way of its label. A few
// replies fit a label that comes earlier in the order of the graders, too: a rotation can also be an
// exchange of neighbours. Tests count these.
package damage
