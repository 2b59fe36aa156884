package model_test

import (
	"context"
	"net/http/httptest"
	"testing"
	"time"

	"verbatim/internal/fake"
	"verbatim/internal/model"
)

// TestSlots: a server on any port of this machine is asked how many requests it runs at
// once, and one that does not say leaves it open.
func TestSlots(t *testing.T) {
	for _, want := range []int{2, 0} {
		s, err := fake.New(fake.Config{Echo: true, Limits: fake.Limits{Slots: want}})
		if err != nil {
			t.Fatal(err)
		}
		server := httptest.NewServer(s)
		defer server.Close()
		m, err := model.Open(context.Background(), server.URL+"/v1#m", model.Options{})
		if err != nil {
			t.Fatal(err)
		}
		defer m.Close()
		start := time.Now()
		if got := m.Slots(context.Background()); got != want || time.Since(start) > 5*time.Second {
			t.Errorf("%d slots after %v, want %d", got, time.Since(start), want)
		}
	}
}
