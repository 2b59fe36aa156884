// Package app runs the commands of the program, from parsed options to results. It knows no flags
// and prints nothing: package cli reads the flags, and prints results and progress.
//
// Start at App.Run (run.go), which is `verbatim run`: it opens the models, makes a lane
// for each (lane.go), and hands the lanes to package run, which sends the requests.
// App.Test (sequentialtest.go) and App.SearchHorizons (horizon.go) do the same with items
// that are chosen by the answers so far. App.Forecast (forecast.go) sends nothing.
//
// A Selection names the items. App.Library finds saved runs by the names that users give them.
// App.Probe and App.OpenEndpoints send the requests of tests of endpoints. Describe returns the kind
// of an error, and what to do about it.
package app
