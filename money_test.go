package verbatim_test

import (
	"encoding/json"
	"testing"

	"verbatim"
)

func TestMoney(t *testing.T) {
	for _, c := range []struct {
		in, exact, shown string
		want             verbatim.Money
	}{
		{"5", "5", "$5.00", 5 * verbatim.Dollar},
		{"0", "0", "$0", 0},
		{"0.000000000001", "0.000000000001", "$0.000000000001", 1},
		{"0.075", "0.075", "$0.075", 75_000_000_000},
		{"1e-3", "0.001", "$0.001", 1_000_000_000},
		{"12.3456", "12.3456", "$12.35", 12_345_600_000_000},
		{"0.00999", "0.00999", "$0.01", 9_990_000_000},
	} {
		got, err := verbatim.ParseMoney(c.in)
		if err != nil || got != c.want || got.Decimal() != c.exact || got.String() != c.shown {
			t.Errorf("%s: %d %q %q, %v", c.in, got, got.Decimal(), got.String(), err)
		}
		data, err := json.Marshal(got)
		var back verbatim.Money
		if err != nil || json.Unmarshal(data, &back) != nil || back != got {
			t.Errorf("%s: %s comes back as %d, %v", c.in, data, back, err)
		}
	}
	for _, bad := range []string{"", "-1", "x", "1/3", "0x10", "1e400000000", "0.0000000000001", "9000001", "NaN", "1_0"} {
		if m, err := verbatim.ParseMoney(bad); err == nil {
			t.Errorf("%q is read as %d", bad, m)
		}
	}
	if got := verbatim.Money(-1_500_000_000_000).Decimal(); got != "-1.5" {
		t.Errorf("a negative amount is %q", got)
	}
}
