package cli

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"verbatim/internal/errkind"
)

// A Range bounds the number that is given for a flag. The default of a flag may be outside:
// it then means that there is no such number.
type valueRange struct{ Least, Most float64 }

// valueRanges are the ranges of flags by their names: a flag means the same in every command.
// The command itself checks the flags that are not listed.
var valueRanges = map[string]valueRange{
	"concurrency":       {1, 4096},
	"max-attempts":      {1, 1000},
	"max-tokens":        {1, 1_000_000_000},
	"trials":            {1, 1_000_000},
	"horizon":           {1, 100_000},
	"items":             {1, 1_000_000_000},
	"shots":             {0, 256},
	"warmup":            {0, 10_000},
	"rpm":               {0, 1e9},
	"tpm":               {0, 1e12},
	"temperature":       {0, 100},
	"top-p":             {0, 1},
	"reasoning-budget":  {0, 1e9},
	"logprobs":          {0, 20},
	"samples":           {0, 10_000},
	"trial":             {0, 1_000_000},
	"width":             {0, 1000},
	"margin":            {0, 1},
	"rope":              {0, 1},
	"max-unanswered":    {0, 1},
	"max-truncated-gap": {0, 1},
	"fail-under":        {0, 1},
	"port":              {0, 65535},
	"chunk":             {1, 1 << 20},
	"speedup":           {0.001, 1e6},
	"latency-spread":    {0, 10},
	"wrong":             {0, 1},
	"batch-failed":      {0, 1},
	"batch-expired":     {0, 1},
	"batch-lost":        {0, 1},
	"batch-busy":        {0, 1},
	"slots":             {0, 1_000_000},
	"queue":             {0, 1_000_000},
	"knee":              {0, 1_000_000},
	"burst":             {1, 1_000_000},
	"window-requests":   {0, 1e9},
}

// longest bounds every duration: a year.
const longest = 365 * 24 * time.Hour

// checkValues refuses wrong values of the flags that are given: numbers out of range or not finite,
// durations out of range, and empty texts.
func checkValues(cmd *cobra.Command) (err error) {
	cmd.Flags().Visit(func(f *pflag.Flag) {
		given := f.Value.String()
		if list, ok := f.Value.(pflag.SliceValue); ok {
			given = strings.Join(list.GetSlice(), ",")
		}
		if must := requirement(cmd, f); must != "" && err == nil {
			err = errkind.Usagef("'"+cmd.CommandPath()+" --help' describes the flag", "--%s must %s, got %q", f.Name, must, given)
		}
	})
	return err
}

// requirement says what a flag's value must be; "" if it is that.
func requirement(cmd *cobra.Command, f *pflag.Flag) string {
	texts := []string{f.Value.String()}
	if list, ok := f.Value.(pflag.SliceValue); ok {
		texts = list.GetSlice()
	}
	blank := len(texts) == 0 || slices.ContainsFunc(texts, func(text string) bool { return strings.TrimSpace(text) == "" })
	switch f.Value.Type() {
	case "duration":
		d, _ := time.ParseDuration(f.Value.String())
		least, text := time.Duration(1), "be longer than 0"
		if cmd.Name() == "fake" && f.Name != "for" { // the latencies and windows of the test server
			least, text = 0, "be 0 or longer"
		}
		if d < least || d > longest {
			return text + " and at most 8760h"
		}
	case "int", "int64", "float64":
		v, _ := strconv.ParseFloat(f.Value.String(), 64)
		if r, known := valueRanges[f.Name]; known && !(v >= r.Least && v <= r.Most) {
			plain := func(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) } // without an exponent
			return "be a number from " + plain(r.Least) + " to " + plain(r.Most)
		}
		if math.IsNaN(v) || math.IsInf(v, 0) {
			return "be a finite number"
		}
	case "string", "stringArray", "stringSlice":
		if blank {
			return "not be empty"
		}
	}
	return ""
}
