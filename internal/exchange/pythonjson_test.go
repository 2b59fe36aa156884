package exchange

import (
	"bufio"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"pgregory.net/rapid"
)

func TestLax(t *testing.T) {
	for in, want := range map[string]string{
		``:                                  ``,
		`NaN`:                               `null`,
		`[NaN,Infinity, -Infinity,-1,-I,N]`: `[null,null, null,-1,-I,N]`,
		`{"NaN": NaN, "a\"NaN": "\\", "b": NaN, "c\\": NaN}`: `{"NaN": null, "a\"NaN": "\\", "b": null, "c\\": null}`,
		`"-Infinity" -Infinit`:                               `"-Infinity" -Infinit`,
	} {
		for name, r := range map[string]io.Reader{"whole": strings.NewReader(in), "bytes": iotest.OneByteReader(strings.NewReader(in))} {
			got, err := io.ReadAll(pythonJSON(bufio.NewReaderSize(r, 16)))
			if err != nil || string(got) != want {
				t.Errorf("%s, %s: %s, %v; want %s", in, name, got, err, want)
			}
			if err := iotest.TestReader(pythonJSON(bufio.NewReaderSize(strings.NewReader(in), 16)), []byte(want)); err != nil {
				t.Error(err)
			}
		}
	}
}

// What holds none of the three words outside of texts passes as it is.
func TestLaxPasses(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := rapid.StringOf(rapid.RuneFrom([]rune(`"\{}[],:-1aé `))).Draw(t, "in")
		got, err := io.ReadAll(pythonJSON(bufio.NewReaderSize(strings.NewReader(in), 16)))
		if err != nil || string(got) != in {
			t.Fatalf("%q, %v", got, err)
		}
	})
}
