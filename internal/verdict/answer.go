package verdict

import (
	"cmp"
	"fmt"
	"iter"
	"slices"
	"time"

	"verbatim"
)

// A Side is one run of a comparison.
type Side struct {
	Run verbatim.Run
	// Ref is the name of the run on a command line; if empty, it is the run's name.
	Ref string
	// Note must be shown with the numbers, for example that the model is simulated.
	Note string
	// Records are the records of the run in planned order, one for each request, without
	// texts. They are ranged over from another goroutine, perhaps several times, and at the
	// same time as those of other sides.
	Records iter.Seq2[verbatim.Record, error]
}

// RunInfo describes one run in a result.
type RunInfo struct {
	Ref     string            `json:"ref"` // name on a command line
	N       int64             `json:"n,omitempty"`
	Name    string            `json:"name"`
	Model   string            `json:"model"`
	Note    string            `json:"note,omitempty"`
	Origin  string            `json:"origin,omitempty"` // of imported answers
	Suite   string            `json:"suite"`
	Edition verbatim.Edition  `json:"edition"`
	Seed    uint64            `json:"seed"`
	Trials  int               `json:"trials"`
	Plan    string            `json:"plan"` // hash of the plan
	File    string            `json:"items_file,omitempty"`
	Variant *verbatim.Variant `json:"variant,omitempty"`
	Started *time.Time        `json:"started,omitempty"`
	Params  verbatim.Params   `json:"params"`
	Test    *verbatim.Test    `json:"test,omitempty"`
}

// Info describes the run of s.
func (s *Side) Info() RunInfo {
	r := &s.Run
	info := RunInfo{
		Ref: cmp.Or(s.Ref, r.Name), N: r.N, Name: r.Name, Model: r.Model, Note: s.Note, Origin: r.Origin,
		Suite: r.Plan.Suite, Edition: r.Plan.Edition, Seed: r.Plan.Seed, Trials: r.Plan.Trials, Plan: r.Plan.Hash,
		Variant: r.Plan.Variant, Params: r.Params,
	}
	if r.Plan.Items != nil {
		info.File = r.Plan.Items.Name
	}
	if !r.Started.IsZero() {
		info.Started = &r.Started
	}
	if r.Test != nil {
		info.Test = r.Test.WithoutState()
	}
	return info
}

// A ScoreFunc returns the score of an answer, and false if it is undefined. An undefined
// score counts 0.
type ScoreFunc func(item *verbatim.Item, g *verbatim.Grade) (float64, bool)

// An ItemScoreFunc returns the score of an item from the numbers of its right answers, of its
// answers, and of its planned trials. It returns false if the answers are too few.
type ItemScoreFunc func(right, answers int64, trials int) (float64, bool)

// An Answer is the part of a record that statistics use.
type Answer struct {
	Seq            int64 // position in the plan
	Trial          int
	Item           string
	Family, Length string
	Outcome        verbatim.Outcome
	Label          string
	Grader         string
	Score          float64
	Defined        bool // whether the score is defined
	Right          bool
	// Undecided: the token limit ended an answer that could still have become right.
	// A run that has more of these than another gets rates that are too low.
	Undecided bool
}

// Answered reports whether the record holds an answer.
func (a *Answer) Answered() bool { return a.Outcome.Answered() }

// Undefined reports whether there is an answer whose score is undefined.
func (a *Answer) Undefined() bool { return a.Answered() && !a.Defined }

// ReadAnswer makes an Answer of a record. A record that contradicts itself is an error.
func ReadAnswer(rec *verbatim.Record, score ScoreFunc) (Answer, error) {
	if rec.Item == nil {
		return Answer{}, &brokenRecord{seq: rec.Seq, why: "a record without an item"}
	}
	a := Answer{
		Seq: rec.Seq, Trial: rec.Trial, Item: rec.Item.ID,
		Family: rec.Item.Facts[verbatim.FactFamily], Length: rec.Item.Facts[verbatim.FactLength],
		Outcome: rec.Outcome,
	}
	if outcomeIndex(rec.Outcome) < 0 {
		return a, &brokenRecord{rec.Seq, a.Item, "unknown outcome " + string(rec.Outcome)}
	}
	if !a.Answered() {
		return a, nil
	}
	g := rec.Grade
	if g == nil {
		return a, &brokenRecord{rec.Seq, a.Item, "outcome " + string(rec.Outcome) + ", but no grade"}
	}
	a.Label, a.Grader, a.Right = g.Label, g.Grader, g.Exact
	a.Undecided = rec.Outcome == verbatim.Truncated && !g.Exact && g.Detail == prefixDetail
	if a.Score, a.Defined = score(rec.Item, g); !a.Defined {
		a.Score = 0
	}
	return a, nil
}

// prefixDetail is the detail that graders give a truncated answer that is empty so far,
// or the beginning of a right one.
const prefixDetail = "prefix"

// outcomeIndex returns the index of an outcome in verbatim.Outcomes; -1 if there is no
// such outcome.
func outcomeIndex(o verbatim.Outcome) int { return slices.Index(verbatim.Outcomes(), o) }

// outcomeCount is the length of verbatim.Outcomes.
const outcomeCount = 8

// An answerStream reads the answers of a run ahead, in a goroutine of its own, so that
// several runs are read at the same time.
type answerStream struct {
	side   *Side
	chunks chan chunk
	free   chan []Answer
	quit   chan struct{} // closed by stop
	chunk  chunk
	at     int
}

// A chunk is some answers in order, followed by the error if there is one.
type chunk struct {
	answers []Answer
	err     error
}

// chunkSize is large enough that handing over a chunk costs nothing compared with reading
// it.
const chunkSize = 512

// newAnswerStream starts reading. The caller must call stop once, even at the end.
func newAnswerStream(side *Side, score ScoreFunc) *answerStream {
	const ahead = 4
	s := &answerStream{side: side, chunks: make(chan chunk, ahead), free: make(chan []Answer, ahead+2), quit: make(chan struct{})}
	go s.fill(score)
	return s
}

// fill reads the records in chunks, until the stream is stopped.
func (s *answerStream) fill(score ScoreFunc) {
	defer close(s.chunks)
	list := make([]Answer, 0, chunkSize)
	for rec, err := range s.side.Records {
		var a Answer
		if err == nil {
			a, err = ReadAnswer(&rec, score)
		}
		if err != nil {
			s.send(chunk{list, fmt.Errorf("run %s: %w", s.side.Run.Name, err)})
			return
		}
		if list = append(list, a); len(list) < chunkSize {
			continue
		}
		if !s.send(chunk{answers: list}) {
			return
		}
		select {
		case list = <-s.free:
			list = list[:0]
		default:
			list = make([]Answer, 0, chunkSize)
		}
	}
	s.send(chunk{answers: list})
}

// send hands over a chunk. It returns false if the stream was stopped.
func (s *answerStream) send(c chunk) bool {
	select {
	case s.chunks <- c:
		return true
	case <-s.quit:
		return false
	}
}

// next returns the next answer, valid until the next call; nil at the end.
func (s *answerStream) next() (*Answer, error) {
	for s.at == len(s.chunk.answers) {
		if s.chunk.err != nil {
			return nil, s.chunk.err
		}
		if s.chunk.answers != nil {
			select {
			case s.free <- s.chunk.answers:
			default:
			}
		}
		var ok bool
		if s.chunk, ok = <-s.chunks; !ok {
			return nil, nil
		}
		s.at = 0
	}
	s.at++
	return &s.chunk.answers[s.at-1], nil
}

// stop ends the reading and waits for its end.
func (s *answerStream) stop() {
	close(s.quit)
	for range s.chunks { // closed when the reader has ended
	}
}
