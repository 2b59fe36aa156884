//go:build linux

package run

import (
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
)

// BenchmarkProcess measures a whole process that sends, grades and saves b.N positions:
// time, processor time and peak memory. Compare -benchtime 10000x with -benchtime
// 100000x: memory is the same.
func BenchmarkProcess(b *testing.B) {
	exe, err := os.Executable()
	if err != nil {
		b.Fatal(err)
	}
	c := exec.Command(exe)
	c.Env = append(os.Environ(), "VERBATIM_RUN_BENCH="+strconv.Itoa(b.N), "VERBATIM_RUN_CHILD="+b.TempDir())
	var out strings.Builder
	c.Stdout, c.Stderr = &out, &out
	b.ResetTimer()
	if err := c.Run(); err != nil {
		b.Fatalf("%v: %s", err, out.String())
	}
	b.StopTimer()
	used := c.ProcessState.SysUsage().(*syscall.Rusage)
	cpu := c.ProcessState.UserTime() + c.ProcessState.SystemTime()
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rec/s")
	b.ReportMetric(float64(cpu.Nanoseconds())/float64(b.N), "cpu-ns/rec")
	b.ReportMetric(float64(used.Maxrss)/1024, "MB-peak")
}
