package pace

import (
	"math"
	"testing"

	"verbatim"
)

func money(t *testing.T, s string) verbatim.Money {
	t.Helper()
	m, err := verbatim.ParseMoney(s)
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func TestCost(t *testing.T) {
	cached := money(t, "0.5")
	price := verbatim.Price{Input: money(t, "2"), Output: money(t, "10"), Cached: &cached, Request: money(t, "0.001")}
	plain := verbatim.Price{Input: money(t, "2"), Output: money(t, "10")}
	n := func(v int64) *int64 { return &v }
	for _, c := range []struct {
		name  string
		price verbatim.Price
		usage verbatim.Usage
		want  string // "" is nil
	}{
		{"nothing is known", price, verbatim.Usage{}, ""},
		{"no completion", price, verbatim.Usage{Prompt: n(5)}, ""},
		{"no prompt", price, verbatim.Usage{Completion: n(5)}, ""},
		{"negative", price, verbatim.Usage{Prompt: n(-1), Completion: n(5)}, ""},
		{"zero is a number", plain, verbatim.Usage{Prompt: n(0), Completion: n(0)}, "0"},
		{"a price of nothing", verbatim.Price{}, verbatim.Usage{}, "0"},
		{"nothing but for cached tokens", verbatim.Price{Cached: &cached}, verbatim.Usage{}, ""},
		{"nothing up to a length", verbatim.Price{UpTo: n(100)}, verbatim.Usage{}, ""},
		{"plain", plain, verbatim.Usage{Prompt: n(1000), Completion: n(100)}, "0.003"},
		{"for the request", price, verbatim.Usage{Prompt: n(1000), Completion: n(100)}, "0.004"},
		{"cached", price, verbatim.Usage{Prompt: n(1000), Completion: n(100), Cached: n(600)}, "0.0031"},
		{"more cached than there is", price, verbatim.Usage{Prompt: n(1000), Completion: n(0), Cached: n(5000)}, "0.0015"},
		{"cached, and no price for it", plain, verbatim.Usage{Prompt: n(1000), Completion: n(100), Cached: n(600)}, "0.003"},
		{"reasoning is part of the completion", plain, verbatim.Usage{Prompt: n(0), Completion: n(100), Reasoning: n(90)}, "0.001"},
		{"a fraction is rounded up", verbatim.Price{Input: 1}, verbatim.Usage{Prompt: n(1), Completion: n(0)}, "0.000000000001"},
		{"large", verbatim.Price{Input: money(t, "75")}, verbatim.Usage{Prompt: n(1e9), Completion: n(0)}, "75000"},
	} {
		got := Cost(c.price, c.usage)
		if (got == nil) != (c.want == "") || got != nil && got.Decimal() != c.want {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
	if got := Cost(verbatim.Price{Input: math.MaxInt64}, verbatim.Usage{Prompt: n(math.MaxInt64), Completion: n(math.MaxInt64)}); got == nil || *got != math.MaxInt64 {
		t.Errorf("an amount beyond the largest one is %v", got)
	}
}

func TestReservation(t *testing.T) {
	price := verbatim.Price{Input: verbatim.Dollar, Output: 2 * verbatim.Dollar, Request: 7}
	text := func(s string) verbatim.Part { return verbatim.Part{Text: s} }
	request := func(tokens int, parts ...verbatim.Part) verbatim.Request {
		return verbatim.Request{MaxTokens: tokens, Prompt: verbatim.Prompt{{Role: "user", Content: parts}}}
	}
	token := verbatim.Dollar / 1e6
	for _, c := range []struct {
		r    verbatim.Request
		want verbatim.Money
	}{
		{request(0, text("")), 7},
		{request(100, text("héllo"), text("x")), (7+200)*token + 7},
		{request(1, verbatim.Part{Image: &verbatim.Image{Bytes: []byte("png")}}), (50_000+2)*token + 7},
		{request(-5, text("a")), 1*token + 7},
	} {
		if got := Reservation(price, c.r); got != c.want {
			t.Errorf("%+v: %d, want %d", c.r, got, c.want)
		}
	}
	dear := 3 * verbatim.Dollar
	price.Cached = &dear
	if got := Reservation(price, request(0, text("abc"))); got != 9*token+7 {
		t.Errorf("a cache that costs more: %d", got)
	}
	half := 0.5
	price.Batch = &half
	b, ok := Batch(price)
	if !ok || b.Input != verbatim.Dollar/2 || b.Output != verbatim.Dollar || *b.Cached != dear/2 || b.Request != 4 || b.Batch != nil || *price.Cached != 3*verbatim.Dollar {
		t.Errorf("%+v, %v", b, ok)
	}
	for _, bad := range []*float64{nil, ptr(math.NaN()), ptr(-1.0), ptr(math.Inf(1))} {
		price.Batch = bad
		if b, ok := Batch(price); ok {
			t.Errorf("%+v", b)
		}
	}
}

func ptr[T any](v T) *T { return &v }
