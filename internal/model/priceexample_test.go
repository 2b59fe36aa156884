package model_test

import (
	"fmt"
	"time"

	"verbatim/internal/model"
)

// A table of the user's, with a price in dollars for a million tokens.
func ExampleReadPrices() {
	table, err := model.ReadPrices("prices.json", []byte(`{"format": "verbatim/prices/1", "source": "contract", "as_of": "2026-11-21", "models": [
		{"provider": "openai", "model": "gpt-5", "input": 1.25, "output": 10}]}`))
	if err != nil {
		fmt.Println(err)
		return
	}
	tariff, ok := table.Find("openai", "GPT-5", time.Now())
	fmt.Println(tariff.Price.Input, tariff.Price.Output, ok)
	// Output: $1.25 $10.00 true
}
