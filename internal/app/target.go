package app

import (
	"cmp"
	"context"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/errkind"
	"verbatim/internal/model"
	"verbatim/internal/redact"
	"verbatim/internal/terminal"
)

// A target is an opened model of a run.
type target struct {
	model.Handle
	options model.Options // with which it was opened
}

// openTargets opens the named models. Without a name it opens the model of a server on this machine;
// without such a server, nano. It never opens a paid endpoint that the user did not name. Parameters
// with which no request can be sent are an error; given are added to the own ones of each model.
func (a *App) openTargets(ctx context.Context, names []string, o model.Options, given verbatim.Params) ([]target, error) {
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
		if opened.Check != nil {
			if err := opened.Check(over(opened.Params, given)); err != nil {
				opened.Close()
				closeTargets(targets)
				return nil, errkind.Usagef("leave it out; what the program sets itself has a flag of its own", "%s cannot be sent these parameters: %v", opened.Name, err)
			}
		}
		if opened.Note != "" && !opened.BuiltIn { // the note of a built-in model is next to its numbers
			a.note("%s", terminal.Visible(opened.Note))
		}
		if opened.Served != nil {
			s := opened.Served(ctx)
			opened.Context, opened.Images = cmp.Or(s.Context, opened.Context), cmp.Or(s.Images, opened.Images)
			if s.Ends != "" {
				a.note("%s is shut down on %s, its server's list of models says.", terminal.Visible(opened.Name), s.Ends)
			}
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
	p.Structure = given.Structure
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

// Redactor returns the Redactor of the secrets in the environment and in verbatim.toml. A file that
// cannot be read is ignored.
func (a *App) Redactor() redact.Redactor {
	o := model.Options{Getenv: a.Getenv}
	if a.Getenv != nil {
		o.Config, _ = a.Config("", false)
	}
	return model.NewRedactor(o)
}

// CommandLine returns the command line that continues this one.
func (a *App) CommandLine() string { return a.commandLine(a.Args) }

// commandLine returns the command line that continues one with args. Secrets are replaced, because
// printed text may be logged.
func (a *App) commandLine(args []string) string {
	redact := a.Redactor()
	words := []string{"verbatim"}
	for _, w := range args {
		if w == "--new" || w == "--new=true" {
			continue
		}
		words = append(words, withoutSecrets(redact, w))
	}
	return terminal.ShellWords(words...)
}

// setFlag returns args with a flag that has this value and no other. Names are the flag's names;
// the first one is written.
func setFlag(args []string, value string, names ...string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		short := len(args[i]) > 2 && slices.Contains(names, args[i][:2]) // -n20
		switch {
		case slices.Contains(names, args[i]):
			i++ // its value
		case !short && !(joined && slices.Contains(names, name)):
			out = append(out, args[i])
		}
	}
	return append(out, names[0], value)
}

// withoutSecrets returns a word of a command line without secrets of the environment, without
// texts that look like secrets, and without the password and the query values of an address.
func withoutSecrets(redact redact.Redactor, w string) string {
	w = redact.Command(w)
	flag, address := "", w
	if name, value, ok := strings.Cut(w, "="); ok && strings.HasPrefix(name, "-") {
		flag, address = name+"=", value
	}
	u, err := url.Parse(address)
	switch {
	case err != nil && strings.Contains(address, "@"): // any part may be the password
		return flag + address[:strings.Index(address, ":")+1] + "..."
	case err != nil || u.Host == "" || u.User == nil && u.RawQuery == "":
		return w
	}
	if _, secret := u.User.Password(); secret {
		u.User = url.UserPassword(u.User.Username(), "PASSWORD")
	} else if u.User != nil {
		u.User = url.User("USER")
	}
	query := u.Query()
	for name := range query {
		query.Set(name, "VALUE")
	}
	u.RawQuery = query.Encode()
	return flag + u.String()
}

// NamedDatabase returns the value of --db on the command line, which printed commands must repeat;
// "" without one.
func (a *App) NamedDatabase() string {
	for i, w := range a.Args {
		if value, ok := strings.CutPrefix(w, "--db="); ok {
			return value
		}
		if w == "--db" && i+1 < len(a.Args) {
			return a.Args[i+1]
		}
	}
	return ""
}
