package model

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// IsBuiltIn reports whether the model of that name is part of this program: nano or a simulated one.
// Such a model executes nothing and uses no network.
func IsBuiltIn(name string, o Options) bool {
	if _, own := o.Config.Find(strings.TrimSpace(name)); own {
		return false
	}
	scheme, _, found := strings.Cut(strings.TrimSpace(name), ":")
	scheme = strings.ToLower(scheme)
	return found && scheme == "sim" || !found && scheme == NanoName
}

// Destination returns all that decides what is executed, or where requests and keys are sent, when
// the model of that name is opened here and now. For a command that is its words, the program that
// they find and the working folder. For a model of a configuration file it is what its entry says of
// address, key, headers, proxy and certificates. The text is to be compared, not to be shown. Nothing
// is opened.
func Destination(name string, o Options) string {
	name = strings.TrimSpace(name)
	if own, ok := o.Config.Find(name); ok {
		return own.destination()
	}
	scheme, rest, _ := strings.Cut(name, ":")
	switch p, provider := FindProvider(scheme); {
	case strings.EqualFold(scheme, "exec"):
		return execDestination(rest)
	case provider:
		return fmt.Sprintf("provider %q %q", p.BaseURL, name)
	}
	if o.Discovered {
		return fmt.Sprintf("address %q without a key", name)
	}
	return fmt.Sprintf("address %q", name)
}

// execDestination is Destination for a command. It finds the program as package command does.
func execDestination(line string) string {
	args, err := SplitCommand(line)
	folder, _ := os.Getwd()
	if err != nil || len(args) == 0 {
		return fmt.Sprintf("exec %q %q", folder, line)
	}
	program, _ := exec.LookPath(args[0])
	if abs, err := filepath.Abs(program); err == nil && program != "" {
		program = abs
	}
	return fmt.Sprintf("exec %q %q %q", folder, program, args)
}
