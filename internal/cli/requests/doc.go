// Package requests has the commands that send requests to models: run, plan and aa, the tests
// horizon and check, and the tests of endpoints, which are preflight, smoke, verify and sentinel.
// plan only estimates them.
//
// A command is a function that returns a cobra.Command, in a file of its own, with a type for its
// flags. runFlags holds the flags of run: other commands embed it, and register some of them.
// probeFlags does the same for the tests of endpoints.
package requests
