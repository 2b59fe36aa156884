package pace

import "verbatim"

// A sizes learns which part of the latency is proportional to the length of an answer, so that
// latencies of answers of different lengths can be compared. It has exponential means of the sizes
// and times, and their variance and covariance.
type sizes struct{ n, size, time, sizeSize, sizeTime float64 }

// latency returns the time that an answer of the mean length would have taken, for one of this size
// that took time. Times are in seconds. It learns from every call.
func (s *sizes) latency(time, size float64) float64 {
	if s.n < 128 {
		s.n++
	}
	w := 1 / s.n
	dSize, dTime := size-s.size, time-s.time
	s.size += w * dSize
	s.time += w * dTime
	s.sizeSize += w * (dSize*(size-s.size) - s.sizeSize)
	s.sizeTime += w * (dSize*(time-s.time) - s.sizeTime)
	if s.n < 16 || s.sizeSize <= 0 || s.size <= 0 || s.time <= 0 {
		return time
	}
	share := min(max(0, s.sizeTime/s.sizeSize*s.size/s.time), 0.98)
	return time / (1 - share + share*size/s.size)
}

// sizeOf returns the length of an answer: its tokens, or its bytes.
func sizeOf(r *verbatim.Reply) float64 {
	if c := r.Usage.Completion; c != nil && *c > 0 {
		return float64(*c)
	}
	return float64(len(r.Text) + len(r.Reasoning))
}
