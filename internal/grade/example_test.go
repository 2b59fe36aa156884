package grade_test

import (
	"fmt"

	"verbatim"
	"verbatim/internal/grade"
)

// The answer of a reply is found without the expected one, and then compared with it.
func ExampleOf() {
	item := &verbatim.Item{ID: "mine/1", Grader: "text", Want: verbatim.TextAnswer("K7mQ")}
	for _, text := range []string{"K7mQ", `The answer is "K7mQ".`, "K7mO"} {
		g := grade.Of(item, text, verbatim.FinishStop)
		fmt.Println(g.Outcome, g.Label, g.Exact, g.Extracted)
	}
	// Output:
	// pass pass true true
	// wrapped explained false true
	// wrong substituted_char false false
}
