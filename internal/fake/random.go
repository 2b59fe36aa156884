package fake

import (
	"encoding/binary"
	"math/rand/v2"
)

// The streams of random numbers of one request.
const (
	drawFault = iota + 1
	drawLatency
	drawAnswer
	drawPosition
	drawBatch
)

// rand returns the generator of one kind of draws for the request: a function of the
// server's seed, the prompt and how often it was asked before.
func (a *request) rand(seed, stream uint64) *rand.Rand {
	hi := mix(binary.LittleEndian.Uint64(a.key[:8]) ^ mix(seed+stream<<32))
	lo := mix(binary.LittleEndian.Uint64(a.key[8:]) + mix(uint64(a.repeat)))
	return rand.New(rand.NewPCG(hi, lo))
}

// mix is the finaliser of SplitMix64 (Steele, Lea and Flood, 2014).
func mix(x uint64) uint64 {
	x += 0x9e3779b97f4a7c15
	x = (x ^ x>>30) * 0xbf58476d1ce4e5b9
	x = (x ^ x>>27) * 0x94d049bb133111eb
	return x ^ x>>31
}
