package sim_test

import (
	"context"
	"fmt"
	"net/url"

	"verbatim"
	"verbatim/internal/sim"
)

// A simulated model that drops a character of every answer.
func ExampleNew() {
	m, err := sim.New("perfect", url.Values{"error": {"1"}, "label": {"dropped_char"}})
	if err != nil {
		fmt.Println(err)
		return
	}
	item := &verbatim.Item{ID: "copy@1/len=6/seed=1/0", Want: verbatim.TextAnswer("vXq4Tz")}
	var reply verbatim.Reply
	err = m.Ask(context.Background(), &verbatim.Request{Item: item}, &reply)
	fmt.Println(len(reply.Text), reply.Finish, err)
	// Output: 5 stop <nil>
}
