package verdict

import "fmt"

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
