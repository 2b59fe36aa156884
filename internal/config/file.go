package config

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// FileName is the file that is looked for.
const FileName = "verbatim.toml"

// A File is what the user's file says: models under names of their own.
// docs/models.md describes it. The zero value is no file.
type File struct {
	Path string
	// Trusted says that the user has named the file or has said that it may be
	// trusted. The models of another file are sent no secret but a provider's own key
	// at the provider's own address.
	Trusted bool
	models  []Model
}

// Models returns the models of the file in its order. One that cannot be opened
// until the file is trusted has a warning that says so.
func (c File) Models() []Model {
	all := slices.Clone(c.models)
	for i, m := range all {
		if err := m.NeedsTrust(); err != nil && !c.Trusted {
			all[i].Warnings = append(slices.Clone(m.Warnings), m.Name+": not opened without --trust-config: "+err.Error())
		}
	}
	return all
}

// Find returns the model of that name.
func (c File) Find(name string) (Model, bool) {
	for _, m := range c.models {
		if m.Name == name {
			return m, true
		}
	}
	return Model{}, false
}

// Read reads a file of models. Paths in it count from the file's folder.
// Every key that it does not know, every value that makes no sense and everything
// that looks like a key is a *FileError that says where.
func Read(file string, data []byte) (File, error) {
	text := document{file: file, positions: map[string]place{}}
	text.parse(data)
	for _, check := range []func() error{text.checkSecrets, text.checkKeys} {
		if err := check(); err != nil {
			return File{}, err
		}
	}
	var shape fileEntries
	in := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := in.Decode(&shape); err != nil {
		return File{}, text.decodeError(err)
	}
	c := File{Path: file}
	for _, name := range text.names {
		m, err := shape.Models[name].model(name, &text)
		if err != nil {
			return File{}, err
		}
		c.models = append(c.models, m)
	}
	return c, nil
}

// SecretVariables are the variables from which the models of the file take secrets.
func (c File) SecretVariables() (names []string) {
	for _, m := range c.models {
		names = append(names, m.KeyEnv...)
		for _, value := range append(slices.Collect(maps.Values(m.Entry.Headers)), m.Entry.Proxy) {
			if env, ok := strings.CutPrefix(value, envPrefix); ok {
				names = append(names, env)
			}
		}
	}
	return names
}
