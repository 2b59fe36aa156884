package flagcheck

import (
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// RenamedFlags maps the flags of the previous version to their present names. The old
// names work in this version; help and completion do not show them.
var RenamedFlags = map[string]string{
	"against":        "baseline",
	"clock":          "speedup",
	"effort":         "reasoning-effort",
	"idle":           "idle-timeout",
	"jobs":           "concurrency",
	"max-limit-gap":  "max-truncated-gap",
	"on":             "metric",
	"sample-seed":    "sampling-seed",
	"seed-of-faults": "fault-seed",
	"spread":         "latency-spread",
	"think-tags":     "reasoning-tags",
	"thinking":       "reasoning-tokens",
	"token":          "token-latency",
	"tries":          "max-attempts",
}

// RenamedCommands maps the commands of the previous version to their present names.
var RenamedCommands = map[string]string{
	"limit": "horizon",
}

// AcceptRenamed makes the old names of flags and commands work.
func AcceptRenamed(root *cobra.Command) {
	root.SetGlobalNormalizationFunc(func(_ *pflag.FlagSet, name string) pflag.NormalizedName {
		if now, renamed := RenamedFlags[name]; renamed {
			name = now
		}
		return pflag.NormalizedName(name)
	})
	for old, now := range RenamedCommands {
		i := slices.IndexFunc(root.Commands(), func(c *cobra.Command) bool { return c.Name() == now })
		root.Commands()[i].Aliases = []string{old}
	}
	template := root.UsageTemplate() // without the part that lists aliases
	start := strings.Index(template, "{{if gt (len .Aliases) 0}}")
	end := start + strings.Index(template[start:], "{{end}}") + len("{{end}}")
	root.SetUsageTemplate(template[:start] + template[end:])
}
