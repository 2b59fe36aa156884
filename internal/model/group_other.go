//go:build !unix

package model

import "os/exec"

// ownGroup does nothing where there are no process groups.
func ownGroup(*exec.Cmd) {}

// killGroup ends the command.
func killGroup(c *exec.Cmd) { c.Process.Kill() }

// guardCommand returns nil: without process groups there is nothing to guard.
func guardCommand() *exec.Cmd { return nil }
