// Command verbatim asks language models for answers of which exactly one is
// right, grades them without a judge and reports with honest error bars.
package main

import (
	"os"

	"verbatim/internal/cli"
)

func main() {
	os.Exit(cli.Main(os.Args[1:], cli.OS()))
}
