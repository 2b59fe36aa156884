package model

import (
	"fmt"
	"strings"
	"testing"

	"verbatim/internal/reasoning"
	"verbatim/internal/redact"
)

const testKey = "sk-proj-Zq7rT2mXv9LpWc4Jh8Yb3Nd6Fg1Ks5"

// holdsKey reports whether a text has 12 characters of testKey in a row, or all of it in another form.
func holdsKey(s string) bool {
	for at := 0; at+12 <= len(testKey); at++ {
		if strings.Contains(s, testKey[at:at+12]) {
			return true
		}
	}
	secrets := &redact.Secrets{}
	secrets.Add("KEY", testKey)
	return redact.New(secrets).Holds(s)
}

// A model that is printed, as in a trace of a panic, shows no secret.
func TestModelDoesNotPrint(t *testing.T) {
	env := map[string]string{"VERBATIM_API_KEY": testKey, "HTTPS_PROXY": "http://joe:" + testKey + "@proxy.example:1"}
	o := Options{Getenv: func(name string) string { return env[name] }, Tags: reasoning.Tags{Open: "<think>", Close: "</think>"}}
	for _, name := range []string{"http://127.0.0.1:9/v1#m", "http://joe:" + testKey + "@127.0.0.1:9/v1?token=" + testKey + "#m", "anthropic+http://127.0.0.1:9?key=" + testKey + "#m"} {
		opened, err := Open(t.Context(), name, o)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		if shown := fmt.Sprintf("%v %+v %#v %+v", opened, opened, opened, opened.Model); holdsKey(shown) || !strings.Contains(shown, "127.0.0.1") {
			t.Error(shown)
		}
	}
}

// A name that holds a key is refused, and its error does not repeat it.
func TestNamesHoldNoSecrets(t *testing.T) {
	o := Options{Getenv: func(name string) string { return map[string]string{"OPENAI_API_KEY": testKey}[name] }}
	for _, name := range []string{"openai:" + testKey, "openai:ft-" + testKey, "http://127.0.0.1:9/" + testKey + "/v1#m", "http://127.0.0.1:9/v1#sk-ant-api03-R2D2C3PO1234567890abcd"} {
		_, err := Open(t.Context(), name, o)
		if err == nil || holdsKey(err.Error()) || strings.Contains(err.Error(), "R2D2") {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, name := range []string{"openai:gpt-4o-mini-2024-07-18", "openai:ft:gpt-4o-mini-2024-07-18:acme::AbCdEf12", "http://127.0.0.1:9/v1#Qwen2.5-0.5B-Instruct-Q4_K_M.gguf"} {
		opened, err := Open(t.Context(), name, o)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		opened.Close()
	}
}
