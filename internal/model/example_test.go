package model_test

import (
	"fmt"

	"verbatim/internal/model"
)

// A mistake in the file is reported with its line and column.
func ExampleReadConfig() {
	_, err := model.ReadConfig("verbatim.toml", []byte("[models.box]\nbase_url = \"https://host/v1\"\nmodle = \"m\"\n"))
	fmt.Println(err)
	// Output: verbatim.toml:3:1: there is no key "modle"
}
