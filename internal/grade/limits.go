package grade

// The bounds on work. Each keeps one step of grading a reply of 10 MB well under
// a second. Its comment says what is missing beyond it. None of them can turn a
// right answer into a wrong one: they bound the description of failures only.
const (
	// maxTraced is the size of the texts, without their common head and tail, up to
	// which the distance comes from the full bit matrix. It also yields the counts of
	// edits. Its memory is quadratic: 6 MB here.
	maxTraced = 5_000

	// maxEdits is the number of edits up to which longer texts are aligned. Work
	// and memory grow with its square. Beyond it the counts are absent.
	maxEdits = 1_000

	// maxSlides is how many equal code points that alignment may pass over in
	// all: repetitive texts make it walk the same stretch once per diagonal.
	maxSlides = 1 << 27

	// maxWords is the number of 64-bit column steps that may be spent on a
	// distance alone (two texts of 11,000 code points need 2^21). Beyond it the
	// distance is absent and distance_lower_bound takes its place.
	maxWords = 1 << 21

	// maxChunked is the length in code points up to which chunk_reversed is
	// tested, and maxChunks the number of pairs of ends of reversed chunks
	// that it looks at. Only strings like aaaa… have more. Beyond either
	// bound the reply gets a later label.
	maxChunked = 1 << 17
	maxChunks  = 1 << 24

	// maxQuoting is how many bytes may be searched to tell a refusal from a
	// reply that quotes the answer: each long word of the reply is looked up in
	// the expected text. A reply beyond it is too long to be a refusal.
	maxQuoting = 1 << 28

	// maxClusters is the size in bytes up to which grapheme clusters are counted.
	maxClusters = 1 << 20
)
