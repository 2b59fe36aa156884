package items_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"

	"verbatim"
	"verbatim/grade"
	"verbatim/items"
)

// Draw items, send each to a model, grade the replies.
func Example() {
	model := func(p verbatim.Prompt) string { return `"` + "hxGt39bz" + `"` } // your model
	list, err := items.Draw(items.Options{Tasks: []string{"reverse"}, Lengths: []int{8}, Items: 1, Seed: 1})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, it := range list {
		g := grade.Reply(&it, model(it.Prompt), verbatim.FinishStop)
		fmt.Println(it.ID, it.Want.Text)
		fmt.Println(g.Outcome, g.Label, g.Exact, g.Extracted)
	}
	// Output:
	// reverse@1/len=8/seed=1/0 hxGt39bz
	// wrapped quoted false true
}

// A suite is drawn by its name.
func ExampleDraw() {
	list, _ := items.Draw(items.Options{Suite: "simpe", Seed: 2026})
	fmt.Println(len(list), list[0].ID)
	// Output:
	// 300 copy@1/len=10..500/seed=2026/0
}

// Errors of the options say what to do.
func ExampleError() {
	_, err := items.Draw(items.Options{Tasks: []string{"revrese"}})
	if e, ok := errors.AsType[*items.Error](err); ok {
		fmt.Println(e)
		fmt.Println(e.Hint)
	}
	// Output:
	// there is no task "revrese"
	// did you mean "reverse"? 'verbatim tasks' lists them all
}

func ExampleTasks() {
	for _, t := range items.Tasks()[:3] {
		fmt.Println(t.Name, t.Version, t.DefaultLengths, t.Unit)
	}
	// Output:
	// copy 1 [8 16 32 64 128 256 512] characters
	// reverse 1 [4 8 16 32 64 128] characters
	// add 1 [3 6 12 24] digits
}

func ExampleSuites() {
	fmt.Println(items.Suites())
	// Output:
	// [quick simpe sortbench sortbench-basic sortbench-advanced sortbench-debug hard exact]
}

// A file of items has one JSON object a line.
func ExampleRead() {
	file := bytes.NewBufferString(`{"id":"capital-1","messages":[{"role":"user","content":"Capital of France? One word."}],"want":"Paris"}`)
	list, err := items.Read(file, ".")
	if err != nil {
		fmt.Println(err)
		return
	}
	items.Write(os.Stdout, &list[0])
	// Output:
	// {"id":"capital-1","messages":[{"role":"user","content":"Capital of France? One word."}],"want":"Paris","facts":{"family":"items","length":"5"}}
}
