package grade_test

import (
	"fmt"

	"verbatim"
	"verbatim/grade"
)

// An item of your own needs the right answer; the prompt is not read.
func ExampleReply() {
	it := verbatim.Item{Want: verbatim.TextAnswer("K7mQp2Zx")}
	for _, text := range []string{"K7mQp2Zx", `"K7mQp2Zx"`, "K7mQ2Zx"} {
		g := grade.Reply(&it, text, verbatim.FinishStop)
		fmt.Printf("%s: %s\n", g.Outcome, g.Label)
	}
	// Output:
	// pass: pass
	// wrapped: quoted
	// wrong: dropped_char
}

// A list is right in any spelling that Python reads as the same list.
func ExampleReply_list() {
	it := verbatim.Item{Want: verbatim.ListAnswer([]any{int64(1), int64(3), int64(20)})}
	fmt.Println(grade.Reply(&it, "[1,3,20]", verbatim.FinishStop).Exact)
	g := grade.Reply(&it, "[1, 20, 3]", verbatim.FinishStop)
	fmt.Println(g.Label, *g.Score)
	// Output:
	// true
	// other_key 0
}

func ExampleCheck() {
	it := verbatim.Item{Want: verbatim.TextAnswer("Paris"), Grader: "integer"}
	fmt.Println(grade.Check(&it))
	// Output:
	// the grader integer wants the digits of a whole number as a text
}

func ExampleMeaning() {
	fmt.Println(grade.Meaning("transposed"))
	// Output:
	// Two neighbouring characters changed places.
}

func ExampleLabels() {
	fmt.Println(grade.Graders()[0])
	fmt.Println(grade.Labels("text")[:4])
	// Output:
	// text
	// [reasoning_leak empty quoted fenced]
}
