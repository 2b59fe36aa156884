package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"verbatim"
	"verbatim/internal/model"
	"verbatim/internal/pace"
	"verbatim/internal/report"
	"verbatim/internal/run"
	"verbatim/internal/store"
	"verbatim/internal/task"
)

// A runner holds the flags of `run`.
type runner struct {
	sel      selection
	call     calling
	models   []string
	workers  int
	tries    int
	thinking int
	duration time.Duration
	warmup   int
	fresh    bool
	asJSON   bool
	quiet    bool
	on       string
}

func runCommand(env *Env) *cobra.Command {
	var r runner
	cmd := &cobra.Command{
		Use:   "run",
		Short: "Ask a suite of a model, or of several, and print the table",
		Long: `Ask a suite of one or several models, keep every answer as it arrives, and print
the table. The same command again continues an unfinished run: it asks only what
has no answer yet. A finished run is not asked again; --new starts another.

Without --model a model server on this machine is looked for (llama.cpp, vLLM, LM
Studio, Ollama); where there is none, a simulated model is asked, and the first
line says so. A paid endpoint is never asked unless it is named.

Ctrl-C once finishes what is in flight and keeps it; twice stops now.`,
		Example: `  verbatim run
  verbatim run --model http://127.0.0.1:8080/v1 -j 2
  verbatim run --model openai:gpt-4o-mini --suite simpe
  verbatim run --model vllm:llama --model ollama:llama3.2 --task sort-int --length 4..64 --items 10
  verbatim run --items mine.jsonl --trials 3
  verbatim run --for 10m`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, args []string) error {
			return r.run(cmd.Context(), env, cmd)
		},
	}
	r.sel.register(cmd)
	r.call.register(cmd)
	f := cmd.Flags()
	f.StringArrayVarP(&r.models, "model", "m", nil, "a `model`; may be repeated: they are asked item by item in turn ('verbatim models' shows the forms)")
	f.IntVarP(&r.workers, "jobs", "j", 4, "how many requests are in flight at once, for each model")
	f.IntVar(&r.tries, "tries", 3, "how often a request is tried when there is no answer")
	f.IntVar(&r.thinking, "thinking", 0, "tokens allowed for thinking, on top of those for the answer")
	f.DurationVar(&r.duration, "for", 0, "stop asking after this `time`, such as 1h")
	f.IntVar(&r.warmup, "warmup", 0, "ask this many items first and do not keep them")
	f.BoolVar(&r.fresh, "new", false, "start another run instead of continuing")
	f.BoolVar(&r.asJSON, "json", false, "print JSON lines: plan, kept, summary")
	f.BoolVarP(&r.quiet, "quiet", "q", false, "no progress")
	f.StringVar(&r.on, "on", "exact", "which `score` the table shows: exact, payload, similarity or sortbench")
	return cmd
}
