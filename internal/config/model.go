package config

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"verbatim"
	"verbatim/internal/provider"
	"verbatim/internal/reasoning"
)

// A Model is a model under a name of the user's own. It holds no secrets, only
// the names of the variables that do.
type Model struct {
	Name     string
	Provider string // "" for an address
	Wire     string
	Model    string // as the server calls it; "" where the server is asked
	// Address is the base URL without user, password and query.
	Address string
	KeyEnv  []string // the variables that may hold the key; none where it needs none
	// Priced is its provider in tables of prices, "" for none. Price, Context
	// and Images are what the file says.
	Priced  string
	Price   *verbatim.Price
	Context *int64
	Images  *bool // whether it takes images
	Limits  Limits
	Params  verbatim.Params
	// Warnings are what the user should know of the model before it gets requests.
	Warnings []string

	Entry Entry
	Tags  reasoning.Tags
	text  *document
}

// field returns the path of one of the model's keys.
func (m Model) field(name string) string { return "models." + m.Name + "." + name }

// Location says where the model is and who says so: a name alone shows neither,
// and the file may have come with a repository.
func (m Model) Location() string {
	at := m.Address
	if m.Provider != "" && m.Entry.BaseURL == "" {
		at = m.Provider
	}
	if m.Model != "" {
		at += ", model " + m.Model
	}
	return m.Name + " is at " + at + ", as " + m.text.file + " says"
}

// Destination is Destination of a model of the user's file.
func (m Model) Destination() string {
	s := m.Entry
	where := Entry{Provider: s.Provider, Wire: s.Wire, BaseURL: s.BaseURL, KeyEnv: s.KeyEnv, AuthHeader: s.AuthHeader, Headers: s.Headers, TLS: s.TLS, Proxy: s.Proxy, PlainHTTP: s.PlainHTTP}
	p, _ := provider.Find(s.Provider)
	if s.Provider != "" && p.BaseURL == "" {
		where.Model = s.Model // Azure: it names the host
	}
	entry, _ := json.Marshal(where) // strings and flags, which always have a JSON form
	folder, _ := filepath.Abs(filepath.Dir(m.text.file))
	return fmt.Sprintf("own %q %q %q %s", m.Name, folder, p.BaseURL, entry)
}

// path returns a path of the file as the program can open it.
func (m Model) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(filepath.Dir(m.text.file), p)
}

// A Limits is how fast requests may be sent to a model, as far as its entry in the
// user's file says, or the usual setting of a server on this machine; 0 is no limit.
type Limits struct {
	RequestsPerMinute, TokensPerMinute int64
	Concurrency                        int // requests in flight at once
}

// ErrorAt is the error of one of the model's keys.
func (m Model) ErrorAt(field, advice, format string, args ...any) error {
	return m.text.errorAt(m.field(field), advice, format, args...)
}
