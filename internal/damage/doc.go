// Package damage spoils right answers, one spoiler per failure label of package
// grade. The simulated model, the faulty server and selfcheck use it to make
// replies of which it is known what is wrong with them; the tests of the graders
// use it to see that each label is reached.
//
// Start at Right, which writes the right reply to an item, and Spoilers, which
// lists the ways to spoil it. NearMisses are the small ones that no grader may
// let pass. All is drawn from the generator that is handed in, and from nothing
// else.
//
// A spoiler says ok = false where an item leaves it no room: a text too short,
// no letters to change the case of, no source to leave unreversed. Where it says
// true, the reply is wrong in the way of its label; few are wrong in an earlier
// way of the graders' order as well (a rotation that is also an exchange of
// neighbours), which the tests count.
package damage
