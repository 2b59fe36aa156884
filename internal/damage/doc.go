// Package damage spoils right answers: one spoiler for each failure label of package
// grade. Simulated models, the fake server and selfcheck make replies of which it is
// known what is wrong with them; the graders' tests see that each label is reached.
//
//	for _, s := range damage.Spoilers("text") {
//		reply, ok := s.Spoil(rng, item)
//	}
//
// Right writes the right reply to an item. NearMisses are small changes that no grader
// may accept. Everything is drawn from the generator that is passed in. A new failure
// label is one line in the tables of spoiler.go or listspoiler.go, with its function.
//
// A spoiler returns ok = false where an item leaves it no room: a text that is too
// short, no letters whose case can change, no source. With ok = true the reply is wrong
// in the way of its label. A few replies are also wrong in an earlier way of the graders'
// order (a rotation that is an exchange of neighbours too); tests count them.
package damage
