package model

import (
	"errors"
	"testing"

	"verbatim"
)

func TestRefusesSystem(t *testing.T) {
	for message, want := range map[string]bool{
		"System role not supported": true,
		"Unsupported value: 'messages[0].role' does not support 'system' with this model.": true,
		"Developer instruction is not enabled for models/gemma-3-4b-it":                    true,
		"this model isn't allowed":                            false,
		"The system is overloaded, please try again":          false,
		"max_tokens is not supported with this model":         false,
		"system messages are unsupported by this chat format": true,
	} {
		err := error(&verbatim.Failure{Class: verbatim.BadAsk, Status: 400, Err: errors.New(message)})
		if got := refusesSystem(err); got != want {
			t.Errorf("%s: %v, want %v", message, got, want)
		}
	}
}

func TestSystemInUser(t *testing.T) {
	text := func(role, s string) verbatim.Message {
		return verbatim.Message{Role: role, Content: []verbatim.Part{{Text: s}}}
	}
	given := verbatim.Prompt{text("system", "Be brief."), text("user", "Hello"), text("assistant", "Hi"), text("user", "Bye")}
	got, moved := SystemInUser(given)
	if !moved || len(got) != 3 || got[0].Content[0].Text != "Be brief.\n\nHello" || got[2].Content[0].Text != "Bye" {
		t.Errorf("%+v", got)
	}
	if given[1].Content[0].Text != "Hello" {
		t.Error("the prompt itself was changed")
	}
	if _, moved := SystemInUser(given[1:]); moved {
		t.Error("a prompt without system text was changed")
	}
}
