package cli

import (
	"net/url"
	"slices"
	"strings"

	"verbatim/internal/model"
	"verbatim/internal/redact"
	"verbatim/internal/shell"
)

// again returns the command line that continues this one.
func (a *asking) again() string { return a.env.commandLine(a.env.Args) }

// redactor returns the Redactor of the environment and of the file that names
// models, as far as that can be read.
func (env *Env) redactor() redact.Redactor {
	o := model.Options{Getenv: env.Getenv}
	if env.Getenv != nil {
		o.Config, _ = env.config("", false)
	}
	return model.NewRedactor(o)
}

// commandLine returns a command line that continues what args began. Secrets are
// left for the reader to fill in: what is printed may be logged.
func (env *Env) commandLine(args []string) string {
	redact := env.redactor()
	words := []string{"verbatim"}
	for _, w := range args {
		if w == "--new" || w == "--new=true" {
			continue
		}
		words = append(words, withoutSecrets(redact, w))
	}
	return shell.Words(words...)
}

// withFlag returns args with another value for a flag that is among them.
func withFlag(args []string, flag, value string) []string {
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

// setFlag returns args with a flag that has this value and no other. Names are all
// that the flag is known by, the one to write first.
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

// withoutSecrets returns a word of a command line without secrets of the
// environment, without what looks like one in a command, and without the password
// and the values of the query of an address.
func withoutSecrets(redact redact.Redactor, w string) string {
	w = redact.Command(w)
	flag, address := "", w
	if name, value, ok := strings.Cut(w, "="); ok && strings.HasPrefix(name, "-") {
		flag, address = name+"=", value
	}
	u, err := url.Parse(address)
	switch {
	case err != nil && strings.Contains(address, "@"): // nobody knows what is what in it
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
