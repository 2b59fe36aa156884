// Package horizonsearch finds the 50 % horizon of a model with few requests. It sends
// items where the posterior of the horizon is (Thompson sampling), and stops when the
// interval is narrow enough.
//
// search.go holds Search, a verbatim.Source; result.go holds Horizon, the result.
// The statistics are those of package stats/horizon.
package horizonsearch
