package app

import (
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/model"
	"verbatim/internal/redact"
	"verbatim/internal/shell"
)

// Redactor returns the Redactor of the environment and of verbatim.toml, as far as that
// can be read.
func (a *App) Redactor() redact.Redactor {
	o := model.Options{Getenv: a.Getenv}
	if a.Getenv != nil {
		o.Config, _ = a.Config("", false)
	}
	return model.NewRedactor(o)
}

// CommandLine returns the command line that continues this one.
func (a *App) CommandLine() string { return a.commandLine(a.Args) }

// commandLine returns the command line that continues one with args. Secrets are
// replaced, because what is printed may be logged.
func (a *App) commandLine(args []string) string {
	redact := a.Redactor()
	words := []string{"verbatim"}
	for _, w := range args {
		if w == "--new" || w == "--new=true" {
			continue
		}
		words = append(words, withoutSecrets(redact, w))
	}
	return shell.Words(words...)
}

// replaceFlag returns args with another value for a flag that is in them.
func replaceFlag(args []string, flag, value string) []string {
	args = slices.Clone(args)
	for i, w := range args {
		switch {
		case w == flag && i+1 < len(args):
			args[i+1] = value
		case strings.HasPrefix(w, flag+"="):
			args[i] = flag + "=" + value
		}
	}
	return args
}

// setFlag returns args with a flag that has this value and no other. Names are the
// flag's names, the one to write first.
func setFlag(args []string, value string, names ...string) []string {
	var out []string
	for i := 0; i < len(args); i++ {
		name, _, joined := strings.Cut(args[i], "=")
		switch {
		case slices.Contains(names, args[i]):
			i++ // its value
		case !(joined && slices.Contains(names, name)):
			out = append(out, args[i])
		}
	}
	return append(out, names[0], value)
}

// withoutSecrets returns a word of a command line without secrets of the environment,
// without texts of a command that look like secrets, and without the password and the
// query values of an address.
func withoutSecrets(redact redact.Redactor, w string) string {
	w = redact.Command(w)
	flag, address := "", w
	if name, value, ok := strings.Cut(w, "="); ok && strings.HasPrefix(name, "-") {
		flag, address = name+"=", value
	}
	u, err := url.Parse(address)
	switch {
	case err != nil && strings.Contains(address, "@"): // its parts are unknown
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

// NamedDatabase returns the database that the command line names with --db, which printed
// commands must name too; empty without one.
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
