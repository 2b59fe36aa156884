//go:build !unix

package model

import "os/exec"

// setProcessGroup does nothing: this system has no process groups.
func setProcessGroup(*exec.Cmd) {}

// killGroup kills the command.
func killGroup(c *exec.Cmd) { c.Process.Kill() }

// guardCommand returns nil: without process groups there is nothing to guard.
func guardCommand() *exec.Cmd { return nil }
