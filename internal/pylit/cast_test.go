package pylit

import (
	"math"
	"strings"
	"testing"
)

func TestCast(t *testing.T) {
	cases := []struct {
		text string
		kind Kind
		repr string // none: refused
	}{
		{"1.9", Int, "1"}, {"-1.9", Int, "-1"}, {"True", Int, "1"}, {"' 12_3\\n'", Int, "123"}, {"'+7'", Int, "7"}, {"'-007'", Int, "-7"}, {"'٣'", Int, "3"}, {"'\\u20031\\u00a0'", Int, "1"},
		{"1e23", Int, "99999999999999991611392"}, {"b' 5 '", Int, "5"}, {"'1.0'", Int, ""}, {"''", Int, ""}, {"'1__0'", Int, ""}, {"'_1'", Int, ""}, {"'0x1'", Int, ""}, {"'\\x1c1'", Int, ""},
		{"None", Int, ""}, {"[1]", Int, ""}, {"1j", Int, ""}, {"1e999", Int, ""}, {"'" + strings.Repeat("0", 4301) + "'", Int, ""}, {"'--1'", Int, ""}, {"'1 2'", Int, ""},
		{"3", Float, "3.0"}, {"False", Float, "0.0"}, {"' 1_0.5e1_0 '", Float, "105000000000.0"}, {"'nan'", Float, "nan"}, {"'-INFINITY'", Float, "-inf"}, {"'1e400'", Float, "inf"},
		{"'.5'", Float, "0.5"}, {"'5.'", Float, "5.0"}, {"'1٣.٥'", Float, "13.5"}, {"'.'", Float, ""}, {"'1e'", Float, ""}, {"'0x1p3'", Float, ""}, {"'1._5'", Float, ""}, {"'infinit'", Float, ""},
		{"1" + strings.Repeat("0", 400), Float, ""}, {"9007199254740993", Float, "9007199254740992.0"}, {"b'1.5'", Float, "1.5"}, {"[]", Float, ""}, {"'7.573581057628l50e-05'", Float, ""},
		{"1", Str, "'1'"}, {"1.0", Str, "'1.0'"}, {"True", Str, "'True'"}, {"None", Str, "'None'"}, {"['a', 1]", Str, `"['a', 1]"`}, {"('a',)", Str, `"('a',)"`}, {"b'a'", Str, `"b'a'"`},
		{"0x" + strings.Repeat("f", 5000), Str, ""}, {"[0x" + strings.Repeat("f", 5000) + "]", Str, ""}, {"{}", Str, "'{}'"}, {"-1j", Str, "'(-0-1j)'"},
		{"0", Bool, "False"}, {"''", Bool, "False"}, {"'0'", Bool, "True"}, {"[]", Bool, "False"}, {"{1}", Bool, "True"}, {"None", Bool, "False"}, {"0x" + strings.Repeat("f", 50), Bool, "True"}, {"0.0", Bool, "False"},
		{"'aé'", List, "['a', 'é']"}, {"(1, 2)", List, "[1, 2]"}, {"{1: 2}", List, "[1]"}, {"b'ab'", List, "[97, 98]"}, {"1", List, ""}, {"None", None, "None"}, {"1", None, ""},
	}
	for _, c := range cases {
		v, err := Parse(c.text)
		if err != nil {
			t.Fatal(err)
		}
		got, ok := Cast(v, c.kind)
		if ok != (c.repr != "") || ok && got.String() != c.repr {
			t.Errorf("%s(%.40s) = %.60s %v, want %.60s", c.kind, c.text, got, ok, c.repr)
		}
		if ok && got.Kind() != c.kind {
			t.Errorf("%s(%.40s) is a %s", c.kind, c.text, got.Kind())
		}
	}
	if v, ok := Cast(MakeFloat(math.NaN()), Int); ok {
		t.Errorf("int(nan) = %s", v)
	}
}
