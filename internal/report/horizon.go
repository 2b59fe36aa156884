package report

import (
	"verbatim/internal/verdict/horizonsearch"
)

// A HorizonSearch is the result of one search for a horizon. In JSON it is a part of the format
// "verbatim/horizon/1".
type HorizonSearch struct {
	N      int64  `json:"n"` // the run's number and name
	Run    string `json:"run"`
	Model  string `json:"model"`
	Note   string `json:"note,omitempty"` // a remark, such as that the model is simulated
	Task   string `json:"task"`
	Unit   string `json:"unit"`   // of lengths
	Metric Metric `json:"metric"` // which answers count as right: MetricExact or MetricExtracted
	// Limit is the horizon; nil without answers.
	Limit *horizonsearch.Horizon `json:"horizon"`
	// Ended is why the search ended; empty if it would go on.
	Ended horizonsearch.StopReason `json:"ended"`
	// More is a command that continues the search, if that would make the result more precise.
	More string `json:"more,omitempty"`
}

// HorizonFormat names the JSON form of a HorizonList.
const HorizonFormat = "verbatim/horizon/1"

// A HorizonList is the JSON form of `verbatim horizon`.
type HorizonList struct {
	Format   string          `json:"format"`
	Horizons []HorizonSearch `json:"horizons"`
}
