package grade

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// What jsonText accepts, and reads from strings, is what encoding/json does, but
// for the depth of nesting and for code points that are not Unicode.
func FuzzJSONText(f *testing.F) {
	for _, s := range []string{`{}`, `{"a":[1,-0.5e+3,"x\u00e9\n",true,null]}`, `{"a":01}`, `{"a":1.}`, `{"a":"\ud800\udc00\ud800"}`, `{"a":"\q"}`, `{"a" 1}`, `{"a":1,}`, `[]`, `{"":{}} x`, "{\"a\":\"\xff\"}"} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		s := &jsonText{line: text}
		err := s.skip(0)
		if err == nil {
			err = s.end()
		}
		if valid := json.Valid(text); valid != (err == nil) && !strings.Contains(fmt.Sprint(err), "nested") {
			t.Fatalf("json.Valid says %v, we say %v", valid, err)
		}
		var want string
		if err != nil || json.Unmarshal(text, &want) != nil || bytes.Contains(text, []byte("null")) {
			return
		}
		s.at = 0
		got, err := s.text()
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(want, "\ufffd") && got != want {
			t.Fatalf("read %q, want %q", got, want)
		}
	})
}
