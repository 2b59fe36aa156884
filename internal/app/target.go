package app

import (
	"context"
	"encoding/json"
	"maps"
	"strings"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/model"
	"verbatim/internal/shell"
	"verbatim/internal/terminal"
)

// A target is an opened model of a run.
type target struct {
	model.Handle
	options model.Options // that it was opened with
}

// openTargets opens the named models. Without a name it opens the model of a server on
// this machine, or nano without one. It never opens a paid endpoint that the user did
// not name.
func (a *App) openTargets(ctx context.Context, names []string, o model.Options) ([]target, error) {
	if len(names) == 0 {
		name, found, err := a.discover(ctx, o)
		if err != nil {
			return nil, err
		}
		o.Discovered = found
		names = []string{name}
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
			if s.Context != nil {
				opened.Context = s.Context
			}
			if s.Images != nil {
				opened.Images = s.Images
			}
		}
		targets = append(targets, target{opened, o})
	}
	return targets, nil
}

// discover returns the name of the model that a server on this machine offers, or nano.
// Unnamed says that the user did not name that server.
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
		a.note("It is sent no key, since any program may listen there; to send VERBATIM_API_KEY, name it: --model %s", shell.Word(name))
	}
	return name, unnamed, nil
}

// closeTargets closes the models.
func closeTargets(targets []target) {
	for _, t := range targets {
		t.Close()
	}
}

// local reports whether the model is a part of this program or a child of it, and
// no server.
func (t target) local() bool {
	return t.BuiltIn || strings.HasPrefix(t.Name, "exec:")
}

// runOf returns the run of a target, as Begin takes it. Parameters that were not given
// are the model's own.
func (a *App) runOf(t target, plan verbatim.Plan, given verbatim.Params) verbatim.Run {
	return verbatim.Run{Plan: plan, Model: t.Name, Params: over(t.Params, given), Price: t.Price, Tool: a.Tool}
}

// over returns the parameters that were given, and those of p that were not.
func over(p, given verbatim.Params) verbatim.Params {
	if given.Temperature != nil {
		p.Temperature = given.Temperature
	}
	if given.TopP != nil {
		p.TopP = given.TopP
	}
	if given.Seed != nil {
		p.Seed = given.Seed
	}
	if given.Effort != "" {
		p.Effort = given.Effort
	}
	if given.ReasoningBudget != nil {
		p.ReasoningBudget = given.ReasoningBudget
	}
	if given.MaxTokens != 0 {
		p.MaxTokens = given.MaxTokens
	}
	if given.ReasoningTokens != 0 {
		p.ReasoningTokens = given.ReasoningTokens
	}
	if given.Logprobs != 0 {
		p.Logprobs = given.Logprobs
	}
	if given.SystemAs != "" {
		p.SystemAs = given.SystemAs
	}
	if len(p.Extra)+len(given.Extra) > 0 {
		extra := map[string]json.RawMessage{}
		maps.Copy(extra, p.Extra)
		maps.Copy(extra, given.Extra)
		p.Extra = extra
	}
	return p
}
