// Package smoke tests whether an endpoint answers exactly under load, by what numerics cannot
// excuse: characters of another request, broken characters, replies that are cut, and copies that
// are right alone and wrong among others.
//
//	test := smoke.New(config) // draws the calls of three phases
//	...                       // a run takes its requests from test
//	result := test.Result()
//
// Each prompt holds 16 random hexadecimal digits, its nonce. By chance a reply holds the nonce of
// another prompt in less than one of 10^15 runs. Start reading at Test (test.go).
package smoke
