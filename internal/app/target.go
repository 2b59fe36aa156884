package app

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"strings"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/model"

	"verbatim/internal/terminal"
)

// A target is an opened model of a run.
type target struct {
	model.Handle
	options model.Options // with which it was opened
}

// openTargets opens the named models. Without a name it opens the model of a server on this machine;
// without such a server, nano. It never opens a paid endpoint that the user did not name.
func (a *App) openTargets(ctx context.Context, names []string, o model.Options) ([]target, error) {
	if len(names) == 0 {
		name, unnamed, err := a.discover(ctx, o)
		if err != nil {
			return nil, err
		}
		names, o.Discovered = []string{name}, unnamed
	}
	var targets []target
	seen := map[string]bool{}
	for _, name := range names {
		opened, err := model.Open(ctx, name, o)
		if err != nil {
			closeTargets(targets)
			return nil, err
		}
		if seen[opened.Name] {
			opened.Close()
			closeTargets(targets)
			return nil, errkind.Usagef("name each model once; --trials asks each item several times", "the model %s is named twice", opened.Name)
		}
		seen[opened.Name] = true
		if opened.Note != "" && !opened.BuiltIn { // the note of a built-in model is next to its numbers
			a.note("%s", terminal.Visible(opened.Note))
		}
		if opened.Served != nil {
			s := opened.Served(ctx)
			opened.Context, opened.Images = cmp.Or(s.Context, opened.Context), cmp.Or(s.Images, opened.Images)
		}
		targets = append(targets, target{opened, o})
	}
	return targets, nil
}

// discover returns the name of the model that a server on this machine offers, or nano. Unnamed
// reports that the user did not name that server.
func (a *App) discover(ctx context.Context, o model.Options) (name string, unnamed bool, err error) {
	found, err := model.Discover(ctx, o)
	if err != nil {
		return "", false, err
	}
	if len(found) == 0 {
		a.note("This run uses nano, the small language model inside this program, since no model server answers on this machine; name another with --model, such as http://127.0.0.1:8080/v1 or openai:gpt-4o-mini.")
		a.note("nano was trained on some of this program's tasks: its numbers say nothing about other models. 'verbatim models' shows how to name other models.")
		return model.NanoName, false, nil
	}
	if name, err = found[0].Choose(); err != nil {
		return "", false, err
	}
	a.note("This run uses %s, which was found on this machine.", name)
	if unnamed = !found[0].Configured; unnamed && a.Getenv("VERBATIM_API_KEY") != "" {
		a.note("It is sent no key, since any program may listen there; to send VERBATIM_API_KEY, name it: --model %s", terminal.ShellWord(name))
	}
	return name, unnamed, nil
}

// closeTargets closes the models.
func closeTargets(targets []target) {
	for _, t := range targets {
		t.Close()
	}
}

// local reports whether the model is inside this program or a child process of it.
func (t target) local() bool {
	return t.BuiltIn || strings.HasPrefix(t.Name, "exec:")
}

// runOf returns the run of a target, for Store.Begin. Parameters that are not given are the model's
// own.
func (a *App) runOf(t target, plan verbatim.Plan, given verbatim.Params) verbatim.Run {
	return verbatim.Run{Plan: plan, Model: t.Name, Params: over(t.Params, given), Price: t.Price, Tool: a.Tool}
}

// over returns the parameters that are given, and those of p for the others. Extra has the members of
// both.
func over(p, given verbatim.Params) verbatim.Params {
	p.Temperature = cmp.Or(given.Temperature, p.Temperature)
	p.TopP = cmp.Or(given.TopP, p.TopP)
	p.Seed = cmp.Or(given.Seed, p.Seed)
	p.Effort = cmp.Or(given.Effort, p.Effort)
	p.ReasoningBudget = cmp.Or(given.ReasoningBudget, p.ReasoningBudget)
	p.MaxTokens = cmp.Or(given.MaxTokens, p.MaxTokens)
	p.ReasoningTokens = cmp.Or(given.ReasoningTokens, p.ReasoningTokens)
	p.Logprobs = cmp.Or(given.Logprobs, p.Logprobs)
	p.SystemAs = cmp.Or(given.SystemAs, p.SystemAs)
	if len(p.Extra)+len(given.Extra) > 0 {
		extra := map[string]json.RawMessage{}
		maps.Copy(extra, p.Extra)
		maps.Copy(extra, given.Extra)
		p.Extra = extra
	}
	return p
}
