package model

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"

	"github.com/pelletier/go-toml/v2"
)

// ConfigName is the file that is looked for.
const ConfigName = "verbatim.toml"

// A Config is what the user's file says: models under names of their own.
// docs/models.md describes it. The zero value is no file.
type Config struct {
	File string
	// Trusted says that the user has named the file or has said that it may be
	// trusted. The models of another file are sent no secret but a provider's own key
	// at the provider's own address.
	Trusted bool
	own     []Own
}

// Models returns the models of the file in its order. One that cannot be opened
// until the file is trusted has a warning that says so.
func (c Config) Models() []Own {
	all := slices.Clone(c.own)
	for i, m := range all {
		if err := m.foreign(); err != nil && !c.Trusted {
			all[i].Warnings = append(slices.Clone(m.Warnings), m.Name+": not opened without --trust-config: "+err.Error())
		}
	}
	return all
}

// find returns the model of that name.
func (c Config) find(name string) (Own, bool) {
	for _, m := range c.own {
		if m.Name == name {
			return m, true
		}
	}
	return Own{}, false
}

// FindConfig returns the path of the verbatim.toml that holds in dir: the one
// there, or in the nearest folder above, up to the home folder or the root of the
// repository that dir is in. Where dir is in neither, only dir is looked at: a file
// that somebody else left in a folder above is none of the user's. "" is none.
func FindConfig(dir, home string) string {
	var above []string
	bounded := false
	for at := filepath.Clean(dir); !bounded; at = filepath.Dir(at) {
		above = append(above, at)
		_, err := os.Stat(filepath.Join(at, ".git"))
		bounded = err == nil || home != "" && at == filepath.Clean(home)
		if filepath.Dir(at) == at {
			break
		}
	}
	if !bounded {
		above = above[:1]
	}
	for _, at := range above {
		path := filepath.Join(at, ConfigName)
		if info, err := os.Stat(path); err == nil && info.Mode().IsRegular() {
			return path
		}
	}
	return ""
}

// ReadConfig reads a file of models. Paths in it count from the file's folder.
// Every key that it does not know, every value that makes no sense and everything
// that looks like a key is a *FileError that says where.
func ReadConfig(file string, data []byte) (Config, error) {
	text := tomlText{file: file, at: map[string]place{}}
	text.walk(data)
	for _, check := range []func() error{text.secrets, text.unknown} {
		if err := check(); err != nil {
			return Config{}, err
		}
	}
	var shape configShape
	in := toml.NewDecoder(bytes.NewReader(data)).DisallowUnknownFields()
	if err := in.Decode(&shape); err != nil {
		return Config{}, text.unreadable(err)
	}
	c := Config{File: file}
	for _, name := range text.names {
		m, err := shape.Models[name].own(name, &text)
		if err != nil {
			return Config{}, err
		}
		c.own = append(c.own, m)
	}
	return c, nil
}
