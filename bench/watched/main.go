// Command watched is verbatim with samples and profiles of its process. bench/soak and the profiles
// of docs/performance.md use it.
//
// WATCH_SAMPLES=FILE writes a line of JSON to FILE every WATCH_EVERY (2s): the seconds since the
// start, the number of goroutines, and the bytes that the Go runtime holds. WATCH_CPU=FILE writes a
// CPU profile of the whole process, WATCH_HEAP=FILE a profile of allocations and
// WATCH_GOROUTINES=FILE one of goroutines, both at its end.
package main

import (
	"encoding/json"
	"fmt"
	"log"
	"os"
	"runtime"
	"runtime/metrics"
	"runtime/pprof"
	"time"

	"verbatim/internal/cli"
)

func main() {
	log.SetPrefix("watched: ")
	stop := watch()
	code := cli.Main(os.Args[1:], cli.OS())
	stop()
	os.Exit(code)
}

// watch starts the samples and profiles that the environment requests. stop ends them.
func watch() (stop func()) {
	var ends []func()
	if path := os.Getenv("WATCH_CPU"); path != "" {
		f := create(path)
		if err := pprof.StartCPUProfile(f); err != nil {
			log.Fatal(err)
		}
		ends = append(ends, func() { pprof.StopCPUProfile(); f.Close() })
	}
	if path := os.Getenv("WATCH_HEAP"); path != "" {
		ends = append(ends, func() { runtime.GC(); profile("allocs", path) })
	}
	if path := os.Getenv("WATCH_GOROUTINES"); path != "" {
		ends = append(ends, func() { profile("goroutine", path) })
	}
	if path := os.Getenv("WATCH_SAMPLES"); path != "" {
		every, err := time.ParseDuration(os.Getenv("WATCH_EVERY"))
		if err != nil {
			every = 2 * time.Second
		}
		f := create(path)
		go sample(f, every)
	}
	return func() {
		for _, end := range ends {
			end()
		}
	}
}

// sample writes a line at once and after each interval, until the process ends.
func sample(f *os.File, every time.Duration) {
	began := time.Now()
	read := []metrics.Sample{
		{Name: "/sched/goroutines:goroutines"},
		{Name: "/memory/classes/heap/objects:bytes"},
		{Name: "/memory/classes/total:bytes"},
		{Name: "/memory/classes/heap/released:bytes"},
		{Name: "/gc/heap/live:bytes"},
	}
	lines := json.NewEncoder(f)
	for {
		metrics.Read(read)
		lines.Encode(map[string]any{
			"seconds":    time.Since(began).Seconds(),
			"goroutines": read[0].Value.Uint64(),
			"heap":       read[1].Value.Uint64(),
			"held":       read[2].Value.Uint64() - read[3].Value.Uint64(),
			"live":       read[4].Value.Uint64(),
		})
		time.Sleep(every)
	}
}

func profile(name, path string) {
	f := create(path)
	defer f.Close()
	if err := pprof.Lookup(name).WriteTo(f, 0); err != nil {
		log.Print(fmt.Errorf("profile %s: %w", name, err))
	}
}

func create(path string) *os.File {
	f, err := os.Create(path)
	if err != nil {
		log.Fatal(err)
	}
	return f
}
