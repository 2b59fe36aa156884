// Command took runs a program and writes its resource usage to a file, as JSON: seconds, CPU seconds,
// the peak resident memory in bytes, and the exit code. On SIGTERM it kills the program with all
// processes that it started; the exit code is then -9.
//
//	took FILE PROGRAM [ARG...]
//
// bench/run starts all programs through it, because Linux counts the memory of the process that
// starts a program as the program's own. A Python script would hide every peak below 25 MB; this
// command hides those below 5 MB.
package main

import (
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"os/signal"
	"syscall"
	"time"
)

func main() {
	if len(os.Args) < 3 {
		log.Fatal("usage: took FILE PROGRAM [ARG...]")
	}
	killed := make(chan os.Signal, 1)
	signal.Notify(killed, syscall.SIGTERM)
	c := exec.Command(os.Args[2], os.Args[3:]...)
	c.Stdout, c.Stderr = os.Stdout, os.Stderr
	c.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	began := time.Now()
	if err := c.Start(); err != nil {
		log.Fatal(err)
	}
	go func() {
		<-killed
		syscall.Kill(-c.Process.Pid, syscall.SIGKILL)
	}()
	c.Wait() // ProcessState has the result
	took := time.Since(began)
	code := c.ProcessState.ExitCode()
	if s := c.ProcessState.Sys().(syscall.WaitStatus); s.Signaled() {
		code = -int(s.Signal())
	}
	data, err := json.Marshal(map[string]any{
		"seconds": took.Seconds(),
		"cpu":     (c.ProcessState.UserTime() + c.ProcessState.SystemTime()).Seconds(),
		"rss":     c.ProcessState.SysUsage().(*syscall.Rusage).Maxrss * 1024,
		"code":    code,
	})
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(os.Args[1], data, 0o644); err != nil {
		log.Fatal(err)
	}
}
