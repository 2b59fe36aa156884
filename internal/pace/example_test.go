package pace_test

import (
	"context"
	"fmt"
	"net/url"

	"verbatim"
	"verbatim/internal/pace"
	"verbatim/internal/sim"
)

// A pacer reports the failure of a model that never answers.
func ExamplePacer_Wrap() {
	m, err := sim.New("down", url.Values{"seed": {"2"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	pacer := pace.New(pace.Config{Attempts: 1, Concurrency: 4})
	item := &verbatim.Item{ID: "copy@1/len=3/seed=1/0", Want: verbatim.TextAnswer("abc")}
	err = pacer.Wrap(m).Ask(context.Background(), &verbatim.Request{Item: item}, new(verbatim.Reply))
	fmt.Println(err != nil)
	// Output: true
}
