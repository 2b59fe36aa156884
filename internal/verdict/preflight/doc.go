// Package preflight checks whether an endpoint keeps the contracts of its protocol: whether
// a parameter does what it says, not whether it is accepted.
//
//	test := preflight.New(config) // draws at most MaxCalls calls
//	...                           // a run takes its requests from test
//	result := test.Result()       // a Line for each contract
//
// Start at Calls (calls.go): each Call belongs to a contract. Test (test.go) sends one after
// the other. If a contract looks broken, a second call with another prompt is sent. It is broken
// only if both replies show it. Each contract has a function that judges it, in judge.go.
//
// Result holds one Line for each contract, with the evidence for its state. Texts of servers are
// data: nothing here prints them.
package preflight
