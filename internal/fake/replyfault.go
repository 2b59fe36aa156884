package fake

import (
	"net/http"

	"verbatim"

	"verbatim/internal/finish"
)

// change changes the reply as the fault says; nil: no fault. It reports whether a client that
// receives all of it has a whole answer.
func (r *reply) change(f *Fault) (whole bool) {
	if f == nil {
		return true
	}
	share := f.At
	if share <= 0 || share >= 1 {
		share = 0.5
	}
	switch f.Kind {
	case "midway":
		r.text = headOf(r.text, share)
		r.apiError = &apiError{status: http.StatusInternalServerError, message: "The engine failed in the middle of the answer.", code: "server_error"}
		return false
	case "unended":
		r.noFinish, r.noEnd = true, true
		return false
	case "undone":
		r.noEnd = true
		r.noFinish = !r.request.stream
		return false
	case "unfinished":
		r.noFinish = true
		return false
	case "mojibake":
		r.text = mojibake(r.text)
	case "not-utf8":
		head := headOf(r.text, 0.5)
		r.text = head + "\xff" + r.text[len(head):]
	case "length":
		r.text, r.finish = headOf(r.text, share), verbatim.FinishLength
	case "filter":
		r.text, r.finish = "", verbatim.FinishFilter
	case "refusal":
		r.text, r.finish = "I'm sorry, but I can't help with that.", verbatim.FinishRefusal
	case "finish":
		r.finishOverride = f.Word
		return finish.Of(f.Word) != finish.Failure
	case "error-null":
		r.errorNull = true
	case "unknown":
		r.unknownFields = true
	case "usage-missing", "usage-null", "usage-zero", "usage-twice", "usage-huge":
		r.usage = f.Kind[len("usage-"):]
	case "cut", "murmur":
		return false
	case "stall":
		return f.For > 0
	}
	return true
}

// headOf returns a share of a text, its beginning, in whole characters.
func headOf(text string, share float64) string {
	runes := []rune(text)
	return string(runes[:int(float64(len(runes))*share)])
}

// mojibake returns the text that UTF-8 read as Latin-1 gives. In a text of ASCII, which that does
// not change, a character becomes U+FFFD.
func mojibake(text string) string {
	var out []rune
	for i := range len(text) {
		out = append(out, rune(text[i]))
	}
	if len(out) == len([]rune(text)) && len(out) > 0 {
		out[len(out)/2] = '\ufffd'
	}
	return string(out)
}
