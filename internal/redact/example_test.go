package redact_test

import (
	"fmt"

	"verbatim/internal/redact"
)

// A server repeats the key that it was sent.
func ExampleRedactor_Text() {
	var secrets redact.Secrets
	secrets.Add("OPENAI_API_KEY", "sk-proj-Zq7rT2mXv9LpWc4Jh8Yb3Nd6")
	fmt.Println(redact.New(&secrets).Text("incorrect API key: sk-proj-Zq7rT2mXv9LpWc4Jh8Yb3Nd6"))
	// Output: incorrect API key: <secret removed: OPENAI_API_KEY>
}
