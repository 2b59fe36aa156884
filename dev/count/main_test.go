package main

import "testing"

func TestMeasure(t *testing.T) {
	files := map[string][]byte{
		"a.go":                []byte("package a\n\nconst A, b = 1, 2\n\ntype T struct{ F int }\n\nfunc (T) M() {}\n"),
		"internal/b/b.go":     []byte("package b\n\nvar V int\n\nfunc F() {}\n\nfunc g() {}\n"),
		"a_test.go":           []byte("package a\n\nfunc Helper() {}\n"),
		"x/testdata/c.go":     []byte("not Go\n"),
		"dev/d/main.go":       []byte("package main\n\nfunc Main() {}\n"),
		"README.md":           []byte("one two\n"),
		"docs/page.md":        []byte("three\n"),
		"docs/decisions/1.md": []byte("four five\n"),
	}
	got, err := measure(files, "", false)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]int{
		"lines": 14, "test lines": 3, "lines, dev": 3, "packages": 2, "packages, all modules": 3, "exported names": 5,
		"pages for users": 1, "words for users, with README": 3, "words, docs/decisions": 2,
	} {
		if got[name] != want {
			t.Errorf("%s: %d, want %d", name, got[name], want)
		}
	}
	for n, want := range map[int]string{7: "+7", 1234: "+1,234", -123: "-123", 1234567: "+1,234,567"} {
		if s := number(map[string]int{"n": n}, "n", "%+d"); s != want {
			t.Errorf("%q, want %q", s, want)
		}
	}
}
