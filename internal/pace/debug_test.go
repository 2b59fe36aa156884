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
		var seed uint64; var mean time.Duration; var cv float64; var kind string
		fmt.Sscan(os.Getenv("DEBUG"), &kind, &seed, &mean, &cv)
		s := newServer(seed, mean*time.Millisecond, cv)
		l := 3 * time.Second
		switch kind {
		case "window": s.admit = windows(always(300), l, time.Duration(float64(seed)*.3*float64(l)))
		case "slots": s.delay = slots(always(8))
		case "bucket": s.admit = bucket(always(100.0), 5)
		}
		return s
	})
	fmt.Println(r)
}
