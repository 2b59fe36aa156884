// Package fault describes the faults of the test server: what goes wrong, how often and
// when. Parse reads them in the form of the command line; Kinds lists the kinds:
//
//	faults, err := fault.Parse("429:0.05,after=2 cut:0.01,end=reset 500@1-3")
//
// Choose draws the fault of a request. Package fake produces it.
package fault
