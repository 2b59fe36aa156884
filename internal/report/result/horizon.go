package result

import (
	"verbatim/internal/verdict/horizonsearch"

	"verbatim/internal/report"
)

// A HorizonSearch is what there is to say of one search for a horizon. In JSON it is a
// part of the format "verbatim/horizon/1".
type HorizonSearch struct {
	N      int64         `json:"n"` // the run's number and name
	Run    string        `json:"run"`
	Model  string        `json:"model"`
	Note   string        `json:"note,omitempty"` // such as: that the model is simulated
	Task   string        `json:"task"`
	Unit   string        `json:"unit"`   // what lengths count
	Metric report.Metric `json:"metric"` // which answers count as right: MetricExact or MetricExtracted
	// Limit is nil where nothing was answered.
	Limit *horizonsearch.Horizon `json:"horizon"`
	// Ended is why no more was asked; empty where the search would go on.
	Ended horizonsearch.StopReason `json:"ended"`
	// More is a command that asks more, where more would tell more.
	More string `json:"more,omitempty"`
}

// HorizonFormat names the JSON form of a HorizonList.
const HorizonFormat = "verbatim/horizon/1"

// A HorizonList is the JSON form of `verbatim horizon`.
type HorizonList struct {
	Format   string          `json:"format"`
	Horizons []HorizonSearch `json:"horizons"`
}
