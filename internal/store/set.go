package store

// A Set is a set of numbers from 0. It takes a bit for each number up to the largest. The zero value
// is empty.
type BitSet struct{ words []uint64 }

// Add adds n, which must be at least 0, and reports whether it was not in the set.
func (s *BitSet) Add(n int64) bool {
	for int64(len(s.words)) <= n/64 {
		s.words = append(s.words, 0)
	}
	word, bit := &s.words[n/64], uint64(1)<<(n%64)
	fresh := *word&bit == 0
	*word |= bit
	return fresh
}

// Has reports whether n is in the set.
func (s *BitSet) Has(n int64) bool {
	return n >= 0 && n/64 < int64(len(s.words)) && s.words[n/64]&(1<<(n%64)) != 0
}

// Remove removes n from the set.
func (s *BitSet) Remove(n int64) {
	if s.Has(n) {
		s.words[n/64] &^= uint64(1) << (n % 64)
	}
}
