package model

import (
	"encoding/json"
	"fmt"
	"path/filepath"

	"verbatim"

	"verbatim/internal/reasoning"
)

// A Model is a model that the file names. It has no secrets, only the names of the variables with
// secrets.
type configuredModel struct {
	Name     string
	Provider string // "" for an address
	Wire     string
	Model    string // the name at the server; "": the server is asked for it
	// Address is the base URL without user, password and query.
	Address string
	KeyEnv  []string // the variables that may hold the key; nil: no key is needed
	Priced  string   // its provider in tables of prices; "" without one
	Price   *verbatim.Price
	Context *int64
	Images  *bool // whether it takes images
	Limits  Limits
	Params  verbatim.Params
	// Warnings are for the user, before the model gets requests.
	Warnings []string

	Entry configEntry
	Tags  reasoning.Tags
	text  *document
}

// Location describes the address of the model and the file that gives it. The name shows neither,
// and the file may be part of another user's repository.
func (m configuredModel) location() string {
	at := m.Address
	if m.Provider != "" && m.Entry.BaseURL == "" {
		at = m.Provider
	}
	if m.Model != "" {
		at += ", model " + m.Model
	}
	return m.Name + " is at " + at + ", as " + m.text.file + " says"
}

// Destination returns a text that is equal only for models whose requests, keys and headers go to the
// same place in the same way. It is the part of model.Destination for models of the file.
func (m configuredModel) destination() string {
	s := m.Entry
	where := configEntry{Provider: s.Provider, Wire: s.Wire, BaseURL: s.BaseURL, KeyEnv: s.KeyEnv, AuthHeader: s.AuthHeader, Headers: s.Headers, TLS: s.TLS, Proxy: s.Proxy, PlainHTTP: s.PlainHTTP}
	p, _ := FindProvider(s.Provider)
	if s.Provider != "" && p.BaseURL == "" {
		where.Model = s.Model // Azure: it names the host
	}
	entry, _ := json.Marshal(where) // strings and flags cannot fail
	folder, _ := filepath.Abs(filepath.Dir(m.text.file))
	return fmt.Sprintf("own %q %q %q %s", m.Name, folder, p.BaseURL, entry)
}

// path returns a path in the file, which is relative to its folder, as the program can open it.
func (m configuredModel) path(p string) string {
	if filepath.IsAbs(p) {
		return p
	}
	return filepath.Join(filepath.Dir(m.text.file), p)
}

// Limits bound how fast requests are sent to a model: by its entry in the file, or as is usual for a
// server on this machine. 0 is no limit.
type Limits struct {
	RequestsPerMinute, TokensPerMinute int64
	Concurrency                        int // requests in flight at once
}

// ErrorAt returns an error at the place of one of the model's keys; "" is the model itself.
func (m configuredModel) errorAt(key, advice, format string, args ...any) error {
	return m.text.errorAt("models."+m.Name+"."+key, advice, format, args...)
}
