package model

import (
	"slices"
	"testing"
)

func TestWords(t *testing.T) {
	for line, want := range map[string][]string{
		"":                         nil,
		" \t\n ":                   nil,
		"a b  c\td":                {"a", "b", "c", "d"},
		`python3 "my model.py" -x`: {"python3", "my model.py", "-x"},
		`'a\\b\"' c`:               {`a\\b\"`, "c"},
		`a 'b "c" \d'e`:            {"a", `b "c" \de`},
		`"a\"b\\c"`:                {`a"b\c`},
		`a\ b \'c`:                 {"a b", "'c"},
		`C:\tools\model.exe --n 1`: {`C:\tools\model.exe`, "--n", "1"},
		`'' ""`:                    {"", ""},
		`a""b`:                     {"ab"},
		`$HOME *.py ~ ; | > x`:     {"$HOME", "*.py", "~", ";", "|", ">", "x"},
		`end\`:                     {`end\`},
		`{"json": 'yes'}`:          {"{json:", "yes}"},
	} {
		got, err := SplitCommand(line)
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%s: %q, %v, want %q", line, got, err, want)
		}
	}
	for _, line := range []string{`'`, `"`, `a 'b`, `a "b\"`} {
		if got, err := SplitCommand(line); err == nil {
			t.Errorf("%s: %q, want an error", line, got)
		}
	}
}
