package pylit

import (
	"bytes"
	"math"
	"math/big"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
)

func TestFormat(t *testing.T) {
	large, _ := new(big.Int).SetString("-123456789012345678901234567890", 10)
	cases := []struct {
		v    any
		repr string
	}{
		{nil, "None"}, {true, "True"}, {false, "False"}, {int64(-7), "-7"}, {large, large.String()}, {[]any{}, "[]"},
		{[]any{int64(1), 1.0, "a", nil, []any{true}}, "[1, 1.0, 'a', None, [True]]"},
		{2.1e-05, "2.1e-05"}, {0.0001, "0.0001"}, {1e15, "1000000000000000.0"}, {1e16, "1e+16"}, {-0.0001234, "-0.0001234"}, {9.99e22, "9.99e+22"},
		{0.30000000000000004, "0.30000000000000004"}, {math.Copysign(0, -1), "-0.0"}, {1e100, "1e+100"}, {math.Inf(-1), "-inf"}, {math.NaN(), "nan"}, {10000123.25, "10000123.25"},
		{"it's", `"it's"`}, {`say "it's"`, `'say "it\'s"'`}, {`"`, `'"'`}, {"a\\b\n\t\r\x00\x7f", `'a\\b\n\t\r\x00\x7f'`},
		{"é\u00a0\u00ad\u2010\u2028\ue000\U000e0001😀", `'é\xa0\xad‐\u2028\ue000\U000e0001😀'`}, {"\xed\xa0\x80", `'\ud800'`}, {"\xff", `'\udcff'`},
	}
	for _, c := range cases {
		if got := Format(c.v); got != c.repr {
			t.Errorf("Format(%#v) = %s, want %s", c.v, got, c.repr)
		}
	}
	if got := string(Append([]byte("x="), "y")); got != "x='y'" {
		t.Errorf("Append: %s", got)
	}
}

func TestStrip(t *testing.T) {
	for _, s := range []string{"", " ", "\x1c\x1d\x1e\x1f \t\n\v\f\r\u0085\u00a0\u1680\u2000\u200a\u2028\u2029\u202f\u205f\u3000"} {
		if got := Strip(s + "a b" + s); got != "a b" {
			t.Errorf("Strip with %q around: %q", s, got)
		}
		if got := Strip(s); got != "" {
			t.Errorf("Strip(%q) = %q", s, got)
		}
	}
	for _, s := range []string{"\u200b", "\ufeff", "\x00", "\u180e", "\xff", "\x08"} {
		if got := Strip(s); got != s {
			t.Errorf("Strip(%q) = %q", s, got)
		}
	}
}

func TestAny(t *testing.T) {
	large := new(big.Int).Lsh(big.NewInt(1), 70)
	list := []any{nil, true, int64(3), large, 2.5, "x", []any{[]any{}, "y"}}
	v, err := From(list)
	if err != nil {
		t.Fatal(err)
	}
	if back, ok := v.Any(); !ok || !reflect.DeepEqual(back, list) {
		t.Errorf("%v became %v", list, back)
	}
	if _, err := From([]any{int64(1), struct{}{}}); err == nil || !strings.Contains(err.Error(), "element 1") {
		t.Errorf("a struct became a value: %v", err)
	}
	for _, text := range []string{"(1,)", "{1}", "{}", "b''", "1j", "...", "[[...]]"} {
		v, err := Parse(text)
		if _, ok := v.Any(); ok || err != nil {
			t.Errorf("%s became an element of an answer (%v)", text, err)
		}
	}
}

func TestEqual(t *testing.T) {
	cases := []struct {
		a, b        string
		equal, same bool
	}{
		{"1", "1", true, true}, {"1", "1.0", true, false}, {"True", "1", true, false}, {"0.0", "-0.0", true, true}, {"0", "0j", true, false}, {"1", "1j", false, false},
		{"'1'", "1", false, false}, {"'a'", "b'a'", false, false}, {"[1, [2]]", "[1, [2]]", true, true}, {"[1, [2]]", "[1, [2.0]]", true, false}, {"[1]", "(1,)", false, false},
		{"{1, 2}", "{2, 1.0}", true, true}, {"{1: 2, 3: 4}", "{3: 4, 1: 2}", true, true}, {"{1: 2}", "{1: 3}", false, false}, {"{1: 2}", "{1}", false, false}, {"None", "...", false, false},
		{"9007199254740993", "9007199254740992.0", false, false}, {"9007199254740992", "9007199254740992.0", true, false},
		{"100000000000000000000000", "1e23", false, false}, {"99999999999999991611392", "1e23", true, false}, {"1e999", "-1e999", false, false}, {"1j", "1j", true, true}, {"[]", "[None]", false, false},
	}
	for _, c := range cases {
		a, errA := Parse(c.a)
		b, errB := Parse(c.b)
		if errA != nil || errB != nil {
			t.Fatal(errA, errB)
		}
		if Equal(a, b) != c.equal || Equal(b, a) != c.equal || Same(a, b) != c.same || Same(b, a) != c.same {
			t.Errorf("%s and %s: equal %v, same %v", a, b, Equal(a, b), Same(a, b))
		}
	}
	if nan := MakeFloat(math.NaN()); Equal(nan, nan) || Equal(nan, MakeInt(0)) {
		t.Error("a NaN equals something")
	}
}

// TestKey compares the order of keys with exact arithmetic and with the order of
// strings and lists.
func TestKey(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 0))
	number := func() (Value, *big.Float) {
		x := new(big.Float).SetPrec(2000)
		switch r.IntN(5) {
		case 0:
			n := int64(r.Uint64()) >> r.IntN(64)
			return MakeInt(n), x.SetInt64(n)
		case 1:
			n := new(big.Int).Lsh(big.NewInt(int64(r.Uint64())), uint(r.IntN(80)))
			n.Add(n, big.NewInt(int64(r.IntN(3)-1)))
			return MakeBig(n), x.SetInt(n)
		case 2:
			f := float64(int64(r.Uint64()) >> r.IntN(64))
			return MakeFloat(f), x.SetFloat64(f)
		case 3:
			f := math.Float64frombits(r.Uint64())
			if math.IsNaN(f) {
				f = math.Inf(1 - 2*r.IntN(2))
			}
			return MakeFloat(f), x.SetFloat64(f)
		}
		b := r.IntN(2)
		return MakeBool(b == 1), x.SetInt64(int64(b))
	}
	for range 50_000 {
		a, x := number()
		b, y := number()
		if r.IntN(4) == 0 { // close together
			n, _ := x.Int(nil)
			if n != nil {
				n.Add(n, big.NewInt(int64(r.IntN(3)-1)))
				b, y = MakeBig(n), new(big.Float).SetPrec(2000).SetInt(n)
			}
		}
		if got := bytes.Compare(AppendKey(nil, a), AppendKey(nil, b)); got != x.Cmp(y) {
			t.Fatalf("%s and %s: %d, want %d", a, b, got, x.Cmp(y))
		}
		if Equal(a, b) != (x.Cmp(y) == 0) {
			t.Fatalf("%s and %s: equal is %v", a, b, Equal(a, b))
		}
	}
	ascending := []string{"None", "-1e999", "-100", "-1", "-1e-5", "0", "1e-5", "1", "2", "1e999", "''", `'\x00'`, `'\x00a'`, `'\x01'`, "'a'", `'a\x00'`, "'ab'", "'b'",
		"'é'", `'\ud800'`, `'\ue000'`, "'😀'", "[]", "[0]", "[0, 0]", "[0, 'a']", "[0, 'a', []]", "[0, 'ab']", "[1]", "['a']", "[[]]", "[[1]]"}
	for i, low := range ascending {
		for j, high := range ascending {
			a, _ := Parse(low)
			b, _ := Parse(high)
			want := 0
			if i < j {
				want = -1
			} else if i > j {
				want = 1
			}
			if got := bytes.Compare(AppendKey(nil, a), AppendKey(nil, b)); got != want {
				t.Errorf("%s and %s: %d, want %d", low, high, got, want)
			}
		}
	}
}

func TestDropLast(t *testing.T) {
	for s, want := range map[string]string{"": "", "a": "", "ab": "a", "aé": "a", "a😀": "a", "a\xed\xa0\x80": "a", "a\xff": "a", "é\xff": "é", "a\x80\x80": "a\x80"} {
		if got := DropLast(s); got != want {
			t.Errorf("DropLast(%q) = %q, want %q", s, got, want)
		}
	}
}

func TestLen(t *testing.T) {
	for text, want := range map[string]int{"'aé😀'": 3, `'\ud800x'`: 2, `b'\xff\xff'`: 2, "[1, 2]": 2, "{1: 2, 3: 4}": 2, "()": 0, "{1, 1}": 1, "1": -1, "None": -1, "...": -1, "1.5": -1} {
		v, err := Parse(text)
		n, ok := v.Len()
		if err != nil || ok != (want >= 0) || ok && n != want {
			t.Errorf("len(%s) = %d, %v, want %d", text, n, ok, want)
		}
	}
}
