package config_test

import (
	"fmt"

	"verbatim/internal/config"
)

// A mistake in the file is reported with its line and column.
func ExampleRead() {
	_, err := config.Read("verbatim.toml", []byte("[models.box]\nbase_url = \"https://host/v1\"\nmodle = \"m\"\n"))
	fmt.Println(err)
	// Output: verbatim.toml:3:1: there is no key "modle"
}
