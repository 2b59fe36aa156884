package redact

import (
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sort"
	"strings"
	"sync"
)

// A secret is a secret and the name that is shown in its place.
type secret struct{ name, value string }

const (
	gramSize = 8 // bytes of the view by which a place in a secret is found
	// secretRun is how many consecutive characters of a secret are taken out: by
	// no text has so many by chance. What is shorter stays.
	secretRun = 12
	// longestRun bounds what least of a pattern may be.
	longestRun = 64
	// longestSecret bounds a secret: what follows is not looked for.
	longestSecret = 16 << 10
)

// A pattern is a secret in one form, as the view of a text shows it.
type pattern struct {
	name  string
	view  []byte
	least int  // bytes of it that count as a find
	plain bool // the letters of the secret themselves, forwards or backwards
	hex   bool // two digits are one of its characters
}

// A gram is a place in a pattern.
type gram struct {
	gram    uint64
	pattern int32
	at      int32
}

// An index finds secrets in texts, in time that grows with the text alone.
type index struct {
	patterns []pattern
	values   []secret   // for masked forms
	grams    []gram     // by gram
	filter   []uint64   // a bit for the hash of every gram
	shift    uint       // of the hash
	stride   int        // every run that counts holds a gram at a multiple of it
	shortest int        // of all least
	slow     sync.Mutex // texts with secrets are rewritten one at a time: that takes memory
}

// newIndex returns the index of secrets of which any run of secretRun
// characters counts, or, where they are shorter than longSecret, the whole. It is
// nil where there are none.
func newIndex(secrets []secret) *index {
	x := &index{}
	for _, s := range secrets {
		value := s.value[:min(len(s.value), longestSecret)]
		x.values = append(x.values, secret{s.name, value})
		x.add(s.name, value)
	}
	if len(x.patterns) == 0 {
		return nil
	}
	x.shortest = x.patterns[0].least
	for i, p := range x.patterns {
		x.shortest = min(x.shortest, p.least)
		for at := 0; at+gramSize <= len(p.view); at++ {
			x.grams = append(x.grams, gram{binary.LittleEndian.Uint64(p.view[at:]), int32(i), int32(at)})
		}
	}
	slices.SortFunc(x.grams, func(a, b gram) int {
		switch {
		case a.gram < b.gram:
			return -1
		case a.gram > b.gram:
			return 1
		}
		return int(a.pattern-b.pattern)<<16 + int(a.at-b.at)
	})
	x.stride = x.shortest - gramSize + 1
	bits := uint(10)
	for 1<<bits < 64*len(x.grams) {
		bits++
	}
	x.shift = 64 - bits
	x.filter = make([]uint64, 1<<bits/64)
	for _, g := range x.grams {
		h := x.hash(g.gram)
		x.filter[h>>6] |= 1 << (h & 63)
	}
	return x
}

// add adds the forms of a secret: as it is, backwards, in hexadecimal, and in
// base64 at any offset.
func (x *index) add(name, value string) {
	run := len(value)
	if len(value) >= longSecret {
		run = secretRun
	}
	for _, literal := range []bool{false, true} {
		form := (&viewReader{literal: literal}).all
		view := form(value)
		reversed := slices.Clone(view)
		slices.Reverse(reversed)
		least := len(view)
		for at := 0; at+run <= len(value); at++ {
			least = min(least, len(form(value[at:at+run])))
		}
		x.addPattern(pattern{name: name, view: view, least: least, plain: true})
		x.addPattern(pattern{name: name, view: reversed, least: least, plain: true})
	}
	x.addPattern(pattern{name: name, view: []byte(hex.EncodeToString([]byte(value))), least: 2 * run, hex: true})
	for shift := range 3 {
		text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + value))
		// The first and the last letters hold bits of the text around it.
		inner := text[(shift*8+5)/6 : (shift+len(value))*8/6]
		x.addPattern(pattern{name: name, view: viewOf(inner), least: min(run*8/6-1, len(inner))})
	}
}

// addPattern adds a pattern that is long enough not to occur by chance.
func (x *index) addPattern(p pattern) {
	if len(p.view) < gramSize || slices.ContainsFunc(x.patterns, func(q pattern) bool { return string(q.view) == string(p.view) }) {
		return
	}
	p.least = min(max(p.least, gramSize), len(p.view), longestRun)
	x.patterns = append(x.patterns, p)
}

func (x *index) hash(gram uint64) uint64 { return gram * 0x9E3779B97F4A7C15 >> x.shift }

// find returns the longest run of a pattern around view[at:at+gramSize], not
// beginning before from; pattern is nil where none is long enough.
func (x *index) find(view []byte, from, at int) (pattern *pattern, start, end int) {
	gram := binary.LittleEndian.Uint64(view[at:])
	h := x.hash(gram)
	if x.filter[h>>6]&(1<<(h&63)) == 0 {
		return nil, 0, 0
	}
	first := sort.Search(len(x.grams), func(i int) bool { return x.grams[i].gram >= gram })
	for _, g := range x.grams[first:] {
		if g.gram != gram {
			break
		}
		p := &x.patterns[g.pattern]
		left, right := 0, gramSize
		for at-left > from && int(g.at)-left > 0 && view[at-left-1] == p.view[int(g.at)-left-1] {
			left++
		}
		for at+right < len(view) && int(g.at)+right < len(p.view) && view[at+right] == p.view[int(g.at)+right] {
			right++
		}
		if p.hex { // whole characters
			left -= (int(g.at) - left) & 1
			right -= (int(g.at) + right) & 1
		}
		if left+right >= p.least && left+right > end-start && !(p.plain && isPredictable(view[at-left:at+right])) {
			pattern, start, end = p, at-left, at+right
		}
	}
	return pattern, start, end
}

// isPredictable reports whether a run is one that people count or fill with, such
// as 0123456789ab or xxxxxxxxxxxx: it is no secret, and answers hold such runs.
func isPredictable(run []byte) bool {
	jumps := 0
	for i := 1; i < len(run); i++ {
		if step := int(run[i]) - int(run[i-1]); step < -1 || step > 1 {
			jumps++
		}
	}
	return jumps < 2
}

// holds reports whether a text holds a secret in one of its views. It does not
// allocate.
func (x *index) holds(s string, v *viewReader) bool {
	if len(s) < x.shortest {
		return false
	}
	var window [1 << 9]byte
	for i, n, at := 0, 0, 0; ; {
		for i < len(s) && n < len(window)-8 {
			c := viewTable[s[i]]
			if c == composed {
				view, size := v.unit(window[:n], s, i)
				i, n = i+size, len(view)
				continue
			}
			window[n] = c
			n += int(uint(c)+0xFF) >> 8 // no branch: what is left out comes at random
			i++
		}
		// Runs are long enough for a find within what is carried over.
		last := n - gramSize
		if i < len(s) {
			last = n - longestRun
		}
		for ; at <= last; at += x.stride {
			h := x.hash(binary.LittleEndian.Uint64(window[at:]))
			if x.filter[h>>6]&(1<<(h&63)) == 0 {
				continue
			}
			if p, _, _ := x.find(window[:n], 0, at); p != nil {
				return true
			}
		}
		if i == len(s) {
			return false
		}
		carried := max(0, at-longestRun)
		n, at = copy(window[:], window[carried:n]), at-carried
	}
}

// replace returns a text with put(name) in the place of every secret.
func (x *index) replace(s string, put func(name string) string) string {
	var v viewReader
	found := x.holds(s, &v)
	// Some servers mask the middle of a key with letters x. What is left of the key is a secret, too.
	if found || v.masked || strings.Contains(s, "xxx") || strings.Contains(s, "XXX") {
		s = x.unmask(s, put)
	}
	if found {
		s = x.rewrite(s, viewReader{}, put)
	}
	if (v.escaped || found) && x.holds(s, &viewReader{literal: true}) {
		s = x.rewrite(s, viewReader{literal: true}, put)
	}
	return s
}

// rewrite replaces what is found in one view of a text.
func (x *index) rewrite(s string, v viewReader, put func(name string) string) string {
	x.slow.Lock()
	defer x.slow.Unlock()
	view, places := make([]byte, 0, len(s)), make([]int32, 0, len(s))
	for i, size := 0, 0; i < len(s); i += size {
		view, size = v.unit(view, s, i)
		for len(places) < len(view) {
			places = append(places, int32(i))
		}
	}
	var out strings.Builder
	written, done := 0, 0 // of s, of view
	for at := 0; at+gramSize <= len(view); {
		p, start, end := x.find(view, done, at)
		if p == nil {
			at += x.stride
			continue
		}
		out.WriteString(s[written:places[start]])
		out.WriteString(put(p.name))
		last := int(places[end-1])
		_, size := v.unit(nil, s, last)
		written, done, at = last+size, end, end
	}
	out.WriteString(s[written:])
	return out.String()
}
