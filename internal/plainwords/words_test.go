package plainwords

import "testing"

func TestFaults(t *testing.T) {
	for text, want := range map[string]string{
		"Nobody reads it.":          "Nobody",
		"It is written Anew.":       "Anew",
		"renewed":                   "",
		"side by side":              "",
		"a wide reading besides it": "besides",
		"Second thoughts an answer": "",
	} {
		got := ""
		if list := Comment(text); len(list) > 0 {
			got = list[0].Found
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	if list := Message("3 tries"); len(list) == 0 || list[0].Say != "attempts, retries" || len(Comment("3 tries")) > 0 || len(Message("its second thoughts")) > 0 || len(Message("its thoughts")) != 1 {
		t.Error(list)
	}
}

func TestName(t *testing.T) {
	for name, want := range map[string]string{
		"said": "said", "Said": "Said", "saidWhat": "", "newPurse": "Purse", "purses": "", "wreck": "wreck", "wreck_test": "wreck", "besides": "besides",
		"HTTPPurse2": "Purse", "contest": "contest", "contestants": "", "": "", "SecondThoughts": "", "newThoughts": "Thoughts",
	} {
		fault, ok := Name(name)
		if ok != (want != "") || fault.Found != want {
			t.Errorf("%q: %+v, want %q", name, fault, want)
		}
	}
}
