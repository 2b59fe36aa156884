package app

import (
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/model"
	"verbatim/internal/redact"
	"verbatim/internal/terminal"
)

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
