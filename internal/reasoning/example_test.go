package reasoning_test

import (
	"fmt"

	"verbatim/internal/reasoning"
)

func ExampleParseTags() {
	tags, err := reasoning.ParseTags("<think>,</think>")
	fmt.Println(tags.Open, tags.Close, err)
	// Output: <think> </think> <nil>
}
