// Command took runs a program and writes what it took to a file, as JSON: seconds,
// CPU seconds, the peak resident memory in bytes, and the exit code.
//
//	took FILE PROGRAM [ARG...]
//
// bench/run starts everything through it, because Linux counts the memory of the
// process that starts a program as the program's own: a script in Python would
// hide everything below 25 MB, this hides what is below 5.
package main

import (
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 3 {
		log.Fatal("usage: took FILE PROGRAM [ARG...]")
	}
	c := exec.Command(os.Args[2], os.Args[3:]...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	began := time.Now()
	if err := c.Run(); err != nil && c.ProcessState == nil {
		log.Fatal(err)
	}
	took := time.Since(began)
	usage := c.ProcessState.SysUsage().(*syscall.Rusage)
	data, err := json.Marshal(map[string]any{
		"seconds": took.Seconds(),
		"cpu":     (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(),
		"rss":     usage.Maxrss * 1024,
		"code":    c.ProcessState.ExitCode(),
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], data, 0o644); err != nil {
		log.Fatal(err)
	}
}
