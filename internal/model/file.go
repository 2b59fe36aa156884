package model

import (
	"bytes"
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/pelletier/go-toml/v2"
)

// ConfigFileName is the name of the file that FindConfig looks for.
const ConfigFileName = "verbatim.toml"

// A File has the models that the user's file names. The zero value is no file.
type ConfigFile struct {
	Path string
	// Trusted says that the user named the file or trusts it. Models of another file get no secret
	// except a provider's own key at the provider's own address.
	Trusted bool
	models  []configuredModel
}

// Models returns the models in the order of the file. A model that is not opened unless the file is
// trusted has a warning.
func (c ConfigFile) Models() []configuredModel {
	all := slices.Clone(c.models)
	for i, m := range all {
		if err := m.needsTrust(); err != nil && !c.Trusted {
			all[i].Warnings = append(slices.Clone(m.Warnings), m.Name+": not opened without --trust-config: "+err.Error())
		}
	}
	return all
}

// Find returns the model of that name.
func (c ConfigFile) Find(name string) (configuredModel, bool) {
	for _, m := range c.models {
		if m.Name == name {
			return m, true
		}
	}
	return configuredModel{}, false
}

// ReadConfig reads a file of models. Paths in it are relative to its folder. An unknown key, a wrong value
// and a text that looks like a key are errors: an *input.FileError with the place.
func ReadConfig(file string, data []byte) (ConfigFile, error) {
	text := document{file: file, places: map[string]place{}}
	text.parse(data)
	if err := cmp.Or(text.checkSecrets(), text.checkKeys()); err != nil {
		return ConfigFile{}, err
	}
	var entries fileEntries
	in := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := in.Decode(&entries); err != nil {
		return ConfigFile{}, text.decodeError(err)
	}
	c := ConfigFile{Path: file}
	for _, name := range text.names {
		m, err := entries.Models[name].model(name, &text)
		if err != nil {
			return ConfigFile{}, err
		}
		c.models = append(c.models, m)
	}
	return c, nil
}

// SecretVariables returns the names of the variables from which the models take secrets.
func (c ConfigFile) secretVariables() (names []string) {
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
