package task_test

import (
	"fmt"

	"verbatim"
	"verbatim/internal/pylit"
	"verbatim/internal/task"
)

// show draws the first item of a family at a length, as "verbatim tasks" does.
func show(family, length string) {
	lengths, err := task.ParseLengths(length)
	if err != nil {
		panic(err)
	}
	plan, err := task.Plan(task.Request{Tasks: []string{family}, Lengths: lengths, Items: 1, Seed: 1})
	if err != nil {
		panic(err)
	}
	deck, err := task.Open(plan, nil)
	if err != nil {
		panic(err)
	}
	position, _ := deck.Next()
	it, err := deck.Item(position)
	if err != nil {
		panic(err)
	}
	fmt.Println(it.ID)
	fmt.Println(it.Prompt[len(it.Prompt)-1].Content[0].Text)
	if it.Want.IsList() {
		fmt.Println(pylit.Format(it.Want.List))
	} else {
		fmt.Println(it.Want.Text)
	}
}

func ExampleFamilies_copy() {
	show("copy", "12")
	// Output:
	// copy@1/len=12/seed=1/0
	// Repeat the following string exactly without modifying it. Don't output anything else. Only output the string without anything additional, not even quotes: "b8yiLUvVhOuk"
	// b8yiLUvVhOuk
}

func ExampleFamilies_reverse() {
	show("reverse", "8")
	// Output:
	// reverse@1/len=8/seed=1/0
	// Provide the following text in reverse order. Don't output anything else. Only output the reversed string without anything additional, not even quotes: "zb93tGxh"
	// hxGt39bz
}

func ExampleFamilies_add() {
	show("add", "6")
	// Output:
	// add@1/len=6/seed=1/0
	// Provide the sum of the two numbers. Don't output anything else. Only output the sum of the two numbers without anything additional. Only output the final number, no calculation, no explanation, just the final number without any text.: "635353" "313852"
	// 949205
}

func ExampleFamilies_integers() {
	show("sort-int-negative", "5")
	// Output:
	// sort-int-negative@1/len=5/seed=1/0
	// Sort the following list: [-364, 551, 55, 543, -160]
	// [-364, -160, 55, 543, 551]
}

func ExampleFamilies_floats() {
	show("sort-float-small", "3")
	// Output:
	// sort-float-small@1/len=3/seed=1/0
	// Sort the following list: [4.809244733597235e-05, 9.785241570930122e-05, 8.001798936758902e-05]
	// [4.809244733597235e-05, 8.001798936758902e-05, 9.785241570930122e-05]
}

func ExampleFamilies_words() {
	show("sort-word-prefixed", "3")
	// Output:
	// sort-word-prefixed@1/len=3/seed=1/0
	// Sort the following list: ['CCCpowderize', 'CCCgenus_arilus', 'CCChousewrecker']
	// ['CCCgenus_arilus', 'CCChousewrecker', 'CCCpowderize']
}

func ExampleFamilies_letters() {
	show("sort-ascii-cased", "4")
	// Output:
	// sort-ascii-cased@1/len=4/seed=1/0
	// Sort the following list: ['idjwO', 'dfnzK', 'eZLBy', 'NqqSB']
	// ['NqqSB', 'dfnzK', 'eZLBy', 'idjwO']
}

func ExampleFamilies_numberWords() {
	show("sort-number-words", "3")
	// Output:
	// sort-number-words@1/len=3/seed=1/0
	// Sort the following list: ['nine hundred and seventy-six', 'four hundred and twenty', 'one hundred and twenty-nine']
	// ['four hundred and twenty', 'nine hundred and seventy-six', 'one hundred and twenty-nine']
}

func ExampleFamilies_duplicates() {
	show("sort-word-duplicate", "4")
	// Output:
	// sort-word-duplicate@1/len=4/seed=1/0
	// Sort the following list: ['oliguria', 'oliguria', 'damning', 'damning']
	// ['damning', 'damning', 'oliguria', 'oliguria']
}

// Find takes the names of the benchmarks that the tasks come from, and tells the
// nearest name of one that it does not know.
func ExampleFind() {
	f, err := task.Find("AsCiI")
	fmt.Println(f.Name, err)
	_, err = task.Find("revrese")
	fmt.Println(err)
	fmt.Println(err.(*task.NameError).Hint())
	// Output:
	// sort-ascii-cased <nil>
	// there is no task "revrese"
	// did you mean "reverse"? 'verbatim tasks' lists them all
}

// "8..100" is a ladder: 8, 16, 32, 64 and 100, each with items of its own.
func ExampleParseLengths() {
	lengths, err := task.ParseLengths("3, 8..100")
	fmt.Println(lengths, err)
	_, err = task.ParseLengths("8-100")
	fmt.Println(err)
	// Output:
	// [3 8 16 32 64 100] <nil>
	// "8-100" is not a length
}

// A range of lengths inside an id means that the item drew its length; the
// standard edition is not named.
func ExampleID() {
	f, err := task.Find("reverse")
	if err != nil {
		panic(err)
	}
	fmt.Println(task.ID(f, verbatim.Parameters{Length: verbatim.Lengths{Min: 16, Max: 16}, Edition: verbatim.Standard}, 1, 7))
	fmt.Println(task.ID(f, verbatim.Parameters{Length: verbatim.Lengths{Min: 2, Max: 30}, Edition: verbatim.Paper}, 1, 7))
	// Output:
	// reverse@1/len=16/seed=1/7
	// reverse@1/len=2..30/edition=paper/seed=1/7
}
