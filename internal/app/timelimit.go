package app

import "time"

// unexplained is the time after --for for which a command waits without a note.
const unexplained = time.Second

// explainWait prints a note if requests are still in flight some time after Options.MaxTime. They are
// finished, each within its own time limit: the provider may bill them, and their answers are saved.
// release must be called.
func (j *Job) explainWait(interrupted func() bool) (release func()) {
	if j.options.MaxTime <= 0 {
		return func() {}
	}
	timer := time.AfterFunc(j.options.MaxTime+unexplained, func() {
		n := 0
		for _, s := range j.endpoints() {
			n += s.InFlight
		}
		if n > 0 && !interrupted() {
			j.app.note("The time of --for is over. Waiting for the requests in flight (%d), which may be billed: each ends with its reply or at the limit of --timeout or --idle-timeout. "+
				"Press Ctrl-C twice to end now and lose the replies.", n)
		}
	})
	return func() { timer.Stop() }
}
