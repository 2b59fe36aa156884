package terminal_test

import (
	"fmt"

	"verbatim/internal/terminal"
)

func ExampleVisible() {
	fmt.Println(terminal.Visible("K9m\u200bX7 \x1b[31m\n\xff"))
	// Output: K9m«U+200B»X7 ␛[31m␊⟨FF⟩
}
