package task

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for name, want := range map[string]string{
		"reverse": "reverse", "rehearsal": "copy", "addition": "add",
		"Int-0:1000": "sort-int", "Int-0-1000": "sort-int", "English-Sorted": "sort-word-sorted", "NumberWords": "sort-number-words",
		"ascii": "sort-ascii", "ASCII-Lower": "sort-ascii", "AsCiI": "sort-ascii-cased", "ASCII-Cased": "sort-ascii-cased",
		"Float-n1000:1000": "sort-float-negative", "Float-n1000-1000": "sort-float-negative",
		"Int-10000000:10001000": "sort-int-large", "Int-10000000-10001000": "sort-int-large", "Integers-10000000:10001000": "sort-int-large",
	} {
		if f, err := Find(name); err != nil || f.Name != want {
			t.Errorf("%q is %q, %v", name, f.Name, err)
		}
	}
	for name, near := range map[string]string{"revrese": "reverse", "sort-intt": "sort-int", "copie": "copy", "Englisch": "English", "rehersal": "rehearsal", "qqqqqqqq": "", "": ""} {
		_, err := Find(name)
		named, ok := errors.AsType[*NameError](err)
		if !ok || named.Nearest != near || !named.Misuse() || !strings.Contains(err.Error(), name) || !strings.Contains(named.Hint(), near) {
			t.Errorf("%q: %v", name, err)
		}
	}
	for _, f := range Families() {
		for _, name := range append([]string{f.Name, f.Task, strings.ReplaceAll(f.Task, ":", "-")}, f.Aliases...) {
			if found, err := Find(name); name != "" && (err != nil || found.Name != f.Name) {
				t.Errorf("%q is %q, not %q: %v", name, found.Name, f.Name, err)
			}
		}
	}
}

func TestSelect(t *testing.T) {
	for _, test := range []struct {
		names, want []string
	}{
		{[]string{"add", "copy", "add", "rehearsal"}, []string{"copy", "add"}},
		{[]string{"r?verse"}, []string{"reverse"}},
		{[]string{"sort-int*"}, []string{"sort-int", "sort-int-large", "sort-int-negative", "sort-int-sorted", "sort-int-duplicate"}},
		{[]string{"Float-?:*"}, []string{"sort-float", "sort-float-small"}},
		{[]string{"English*", "sort-word"}, []string{"sort-word", "sort-word-sorted", "sort-word-duplicate"}},
	} {
		families, err := Select(test.names)
		var got []string
		for _, f := range families {
			got = append(got, f.Name)
		}
		if err != nil || !slices.Equal(got, test.want) {
			t.Errorf("%q select %q, want %q (%v)", test.names, got, test.want, err)
		}
	}
	all, err := Select([]string{"*"})
	if sorts, err2 := Select([]string{"sort-*"}); err != nil || err2 != nil || len(all) != len(Families()) || len(sorts) != 18 {
		t.Errorf("%d and %d families, %v, %v", len(all), len(sorts), err, err2)
	}
	for _, bad := range []string{"zzz-*", "[x", "nothing", ""} {
		if got, err := Select([]string{"copy", bad}); err == nil {
			t.Errorf("%q selects %d families", bad, len(got))
		}
	}
}
