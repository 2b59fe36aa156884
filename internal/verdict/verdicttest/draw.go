package verdicttest

import (
	"strconv"

	"pgregory.net/rapid"

	"verbatim"
)

// A Request is what Records makes one record of.
type Request struct {
	family, length, index, trial int
	score                        float64
	lost                         bool
}

// DrawRequests draws the requests of a run: some families and lengths, uneven cells,
// repeats, missing items and answers.
func DrawRequests(t *rapid.T, trials int) []Request {
	var out []Request
	families, lengths := rapid.IntRange(1, 3).Draw(t, "families"), rapid.IntRange(1, 3).Draw(t, "lengths")
	score := rapid.SampledFrom([]float64{0, 0, 0.25, 1. / 3, 1, 1, 1})
	for f := range families {
		for l := range lengths {
			for i := range rapid.IntRange(0, 4).Draw(t, "items") {
				for trial := range trials {
					out = append(out, Request{f, l, i, trial, score.Draw(t, "score"), rapid.IntRange(0, 30).Draw(t, "lost") == 0})
				}
			}
		}
	}
	return out
}

// DrawAgain draws other answers to the same requests. Unless whole is set, some of them are left
// out.
func DrawAgain(t *rapid.T, list []Request, whole bool) []Request {
	var out []Request
	for _, r := range list {
		r.score = rapid.SampledFrom([]float64{0, 0.5, 1, 1, r.score, r.score, r.score}).Draw(t, "score")
		r.lost = rapid.IntRange(0, 30).Draw(t, "lost") == 0
		if whole || rapid.IntRange(0, 20).Draw(t, "asked") > 0 {
			out = append(out, r)
		}
	}
	return out
}

// Records makes a record of each request, in their order.
func Records(list []Request) []verbatim.Record {
	var out []verbatim.Record
	for i, r := range list {
		it := MakeItem("task"+strconv.Itoa(r.family), 2<<r.length, r.index)
		if r.lost {
			out = append(out, LostRecord(i, it, r.trial))
		} else {
			out = append(out, MakeRecord(i, it, r.trial, r.score))
		}
	}
	return out
}
