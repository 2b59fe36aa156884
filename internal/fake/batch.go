package fake

import "time"

// A Batch says how jobs of the batch APIs go.
type Batch struct {
	Time    time.Duration // how long a job takes, by Pace.Clock
	Failed  float64       // the share of requests that end in an error
	Expired float64       // the share of requests that are not answered in time
}

type batches struct{}

func (b *batches) start() {}
