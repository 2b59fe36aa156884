package redact

import (
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"encoding/hex"
	"slices"
	"sort"
	"strings"
	"sync"
)

// A secret is a value and the name that replaces it.
type secret struct{ name, value string }

const (
	gramSize = 8 // bytes of a view that are looked up together
	// secretRun is how many consecutive characters of a secret are removed. No text has so
	// many by chance. Shorter runs stay.
	secretRun = 12
	// maxRun bounds pattern.minRun.
	maxRun = 64
	// maxSecret is how many bytes of a secret are searched for, from its beginning.
	maxSecret = 16 << 10
)

// A pattern is the view of a secret in one form (view.go).
type pattern struct {
	name   string
	view   []byte
	minRun int  // the number of its consecutive bytes that count as a find
	plain  bool // the characters of the secret themselves, forwards or backwards
	hex    bool // two hexadecimal digits for each character
}

// A gram is gramSize bytes of a pattern, and where they are.
type gram struct {
	gram    uint64
	pattern int32
	at      int32
}

// An index finds secrets in texts, in time proportional to the text.
type index struct {
	patterns []pattern
	values   []secret   // for masked forms
	grams    []gram     // sorted by gram
	filter   []uint64   // has a bit for the hash of every gram
	shift    uint       // of the hash
	stride   int        // every run that counts has a gram at a multiple of it
	shortest int        // the smallest minRun of all patterns
	slow     sync.Mutex // texts with secrets are rewritten one at a time, because that takes memory
}

// newIndex returns the index of secrets. Any run of secretRun characters of a secret counts as a
// find. Of a secret that is shorter than longSecret, only the whole counts. Without secrets the index
// is nil.
func newIndex(secrets []secret) *index {
	x := &index{}
	for _, s := range secrets {
		value := s.value[:min(len(s.value), maxSecret)]
		x.values = append(x.values, secret{s.name, value})
		x.add(s.name, value)
	}
	if len(x.patterns) == 0 {
		return nil
	}
	x.shortest = x.patterns[0].minRun
	for i, p := range x.patterns {
		x.shortest = min(x.shortest, p.minRun)
		for at := 0; at+gramSize <= len(p.view); at++ {
			x.grams = append(x.grams, gram{binary.LittleEndian.Uint64(p.view[at:]), int32(i), int32(at)})
		}
	}
	slices.SortFunc(x.grams, func(a, b gram) int {
		return cmp.Or(cmp.Compare(a.gram, b.gram), cmp.Compare(a.pattern, b.pattern), cmp.Compare(a.at, b.at))
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

// add adds the forms of a secret: forwards, backwards, in hexadecimal, and in base64 at any offset.
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
		minRun := len(view)
		for at := 0; at+run <= len(value); at++ {
			minRun = min(minRun, len(form(value[at:at+run])))
		}
		x.addPattern(pattern{name: name, view: view, minRun: minRun, plain: true})
		x.addPattern(pattern{name: name, view: reversed, minRun: minRun, plain: true})
	}
	x.addPattern(pattern{name: name, view: []byte(hex.EncodeToString([]byte(value))), minRun: 2 * run, hex: true})
	for shift := range 3 {
		text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", shift) + value))
		// The first and the last letters depend on the text around the secret.
		inner := text[(shift*8+5)/6 : (shift+len(value))*8/6]
		x.addPattern(pattern{name: name, view: viewOf(inner), minRun: min(run*8/6-1, len(inner))})
	}
}

// addPattern adds a pattern, unless it is so short that it may occur by chance, or known.
func (x *index) addPattern(p pattern) {
	if len(p.view) < gramSize || slices.ContainsFunc(x.patterns, func(q pattern) bool { return string(q.view) == string(p.view) }) {
		return
	}
	p.minRun = min(max(p.minRun, gramSize), len(p.view), maxRun)
	x.patterns = append(x.patterns, p)
}

func (x *index) hash(gram uint64) uint64 { return gram * 0x9E3779B97F4A7C15 >> x.shift }

// find returns the longest run of a pattern that contains view[at:at+gramSize] and does not begin
// before from. pattern is nil if none is long enough.
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
		if left+right >= p.minRun && left+right > end-start && !(p.plain && isPredictable(view[at-left:at+right])) {
			pattern, start, end = p, at-left, at+right
		}
	}
	return pattern, start, end
}

// isPredictable reports whether a run counts up or down or repeats a character, such as 0123456789ab or
// xxxxxxxxxxxx. Answers have such runs, and they are no secrets.
func isPredictable(run []byte) bool {
	jumps := 0
	for i := 1; i < len(run); i++ {
		if step := int(run[i]) - int(run[i-1]); step < -1 || step > 1 {
			jumps++
		}
	}
	return jumps < 2
}

// holds reports whether a text has a secret in the view of v. It does not allocate.
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
			n += int(uint(c)+0xFF) >> 8 // 0 for leftOut, otherwise 1; no branch, which could not be predicted
			i++
		}
		// The bytes that are carried over are enough for a run that counts.
		last := n - gramSize
		if i < len(s) {
			last = n - maxRun
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
		carried := max(0, at-maxRun)
		n, at = copy(window[:], window[carried:n]), at-carried
	}
}

// replace returns a text in which put(name) replaces every secret.
func (x *index) replace(s string, put func(name string) string) string {
	var v viewReader
	found := x.holds(s, &v)
	// Some servers mask the middle of a key. The rest of the key is a secret too.
	if found || v.masked || hasLetterMask(s) {
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

// rewrite replaces the secrets that are found in one view of a text.
func (x *index) rewrite(s string, v viewReader, put func(name string) string) string {
	x.slow.Lock()
	defer x.slow.Unlock()
	view, places := make([]byte, 0, len(s)), make([]int32, 0, len(s)) // places: where in s each byte of view is from
	for i, size := 0, 0; i < len(s); i += size {
		view, size = v.unit(view, s, i)
		for len(places) < len(view) {
			places = append(places, int32(i))
		}
	}
	var out strings.Builder
	written, done := 0, 0 // how much of s is written, and how much of view is searched
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
