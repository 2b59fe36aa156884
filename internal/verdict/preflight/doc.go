// Package preflight checks whether an endpoint keeps the contracts of its protocol: whether
// a parameter does what it says, not whether it is accepted.
//
//	test := preflight.New(config) // draws at most MaxCalls calls
//	...                           // a run takes its requests from test
//	result := test.Result()       // a Line for each contract
//
// Start at Calls (calls.go): each Call belongs to a contract. Test (test.go) sends one after
// the other. A contract that looks broken is asked a second time with another prompt, and is
// broken only if both replies show it. There is a function for each contract: of parameters in
// judgeparameter.go, of replies in judgereply.go.
//
// Result holds one Line for each contract, with the bytes that show its state. Texts of
// servers are data: nothing here prints them.
package preflight
