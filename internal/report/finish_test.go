package report

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"testing"

	"verbatim"
)

// However many finish reasons a server makes up, and in whatever order and parts they
// come, the same few are counted separately and none is lost.
func TestFinishWordsAreBounded(t *testing.T) {
	var whole, parts finishWords
	for range 3 {
		for i := range 1000 {
			whole.add(&verbatim.Reply{Finish: verbatim.FinishOther, FinishRaw: fmt.Sprintf("w%03d", i)}, i%2 == 0)
		}
	}
	for range 3 {
		var part finishWords
		for _, i := range rand.Perm(1000) {
			part.add(&verbatim.Reply{Finish: verbatim.FinishOther, FinishRaw: fmt.Sprintf("w%03d", i)}, i%2 == 0)
		}
		parts.merge(&part)
	}
	a, b := whole.finish(), parts.finish()
	if !reflect.DeepEqual(a, b) || len(a) != maxFinishWords+1 || a[maxFinishWords].N != 3*(1000-maxFinishWords) {
		t.Errorf("%d words, %+v", len(a), a[len(a)-1])
	}
	if w := finishWarnings(a); len(w) != shownFinishWords+1 {
		t.Errorf("%d warnings", len(w))
	}
}
