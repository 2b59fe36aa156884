package main

import (
	"os"
	"runtime/pprof"

	"verbatim/internal/cli"
)

func main() {
	f, _ := os.Create("/tmp/perf/cpu.prof")
	pprof.StartCPUProfile(f)
	code := cli.Main(os.Args[1:], cli.OS())
	pprof.StopCPUProfile()
	os.Exit(code)
}
