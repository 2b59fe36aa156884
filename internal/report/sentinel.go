package report

import (
	"time"

	"verbatim/internal/verdict/sentinel"
)

// The formats of the documents of a watch.
const (
	EnrolmentFormat = "verbatim/enrolment/1"
	WatchFormat     = "verbatim/watch/1"
)

// An Enrolment is the result of `sentinel init`. Its JSON form is the format
// "verbatim/enrolment/1".
type Enrolment struct {
	Format string `json:"format"`
	*sentinel.EnrolmentResult
	Probed
	Alpha   float64 `json:"alpha"`
	Horizon int     `json:"horizon_days"`
}

// A Watched is a watch with its days. Its JSON form is the format "verbatim/watch/1".
type Watched struct {
	Format string `json:"format"`
	// Word is the verdict: quiet, alarm, or too few answers.
	Word   string    `json:"verdict"`
	Model  string    `json:"model"`
	Number int       `json:"watch"` // from 1, of the watches of this model
	Since  time.Time `json:"since"`
	Alpha  float64   `json:"alpha"`
	// Horizon is the number of days with calls for which the error rate holds.
	Horizon   int     `json:"horizon_days"`
	Tolerance float64 `json:"tolerance"`
	Items     int     `json:"items"`
	// Capital is the value of the test. An alarm is 1/alpha or more.
	Capital float64        `json:"capital"`
	Days    []sentinel.Day `json:"days"`
	Alarm   *sentinel.Day  `json:"alarm"` // the day of the first alarm; null: there was no alarm
	// First is the date of the first day with a deviation; "": no call deviates.
	First string `json:"first_deviation,omitempty"`
	// spent is the number of replies: of the enrolment, and of the days.
	Spent spent `json:"spent"`
	// Seen says how fast a change from now on would be detected; nil: not computed.
	Seen []sentinel.Seen `json:"would_see,omitempty"`
	// Upstreams are the servers behind a router that were enrolled.
	Upstreams []string `json:"upstreams,omitempty"`
	// Deviating are the answers of this command that deviate.
	Deviating []sentinel.Deviation `json:"-"`
	// Probed is about the calls of this command; nil if it made none.
	*Probed
}

// spent counts the replies of a watch.
type spent struct {
	Enrolment int `json:"enrolment"`
	Days      int `json:"days"`
}
