package pace

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func TestDebug(t *testing.T) {
	if os.Getenv("DEBUG") == "" {
		t.Skip()
	}
	trace = func(s string, a ...any) { fmt.Printf(s+"\n", a...) }
	r := simulate(t, Config{Tries: 1000, Jobs: 512, Adaptive: true}, 3000, 60*time.Second, func() *server {
		s := newServer(1, 50*time.Millisecond, .2)
		l := 60 * time.Second
		s.admit = windows(always(300), l, time.Duration(s.rng.Int64N(int64(l))))
		return s
	})
	fmt.Println(r)
}
