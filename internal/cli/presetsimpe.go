package cli

import (
	"context"
	"path/filepath"
	"slices"

	"verbatim"
	"verbatim/internal/exchange"
	"verbatim/internal/store"
)

// newestOfModels keeps the newest run of every model, in their order.
func newestOfModels(runs []verbatim.Run) []verbatim.Run {
	var list []verbatim.Run
	for i, r := range runs {
		newer := slices.ContainsFunc(runs[i+1:], func(x verbatim.Run) bool { return x.Model == r.Model })
		if !newer {
			list = append(list, r)
		}
	}
	return list
}

// simpeFiles writes the runs as result files of simpE beside the tables and figures.
func (o presetOptions) simpeFiles(ctx context.Context, env *Env, runs []namedRun) error {
	var list []exchange.Run
	for _, r := range runs {
		graders, err := r.store.Common(ctx, r.N)
		if err != nil {
			return err
		}
		what := store.Read{Texts: true, Attempts: true, Graders: graders}
		list = append(list, exchange.Run{Run: r.Run, Records: r.store.Records(ctx, r.N, what)})
	}
	dir := o.Out
	if dir == "" {
		dir = o.Name + "-report"
	}
	files, err := exchange.WriteSimpE(filepath.Join(dir, "results"), simpeTest, list...)
	if err != nil {
		return failed("", "%w", err)
	}
	what := "result file"
	if len(files) != 1 {
		what += "s"
	}
	writeNote(env, "verbatim: %d %s of simpE in %s", len(files), what, filepath.Join(dir, "results"))
	return nil
}
