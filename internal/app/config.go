package app

import (
	"cmp"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"verbatim/internal/errkind"
	"verbatim/internal/input"
	"verbatim/internal/model"
	"verbatim/internal/terminal"
)

// A configFile is a file that names models.
type configFile struct {
	path    string // "": there is no such file
	from    string // the flag or the variable that names it; "": it was found in a folder
	trusted bool
}

// Config reads the file that names models. The flag names it, or else VERBATIM_CONFIG ("off": no
// file), or else it is the nearest verbatim.toml, or else the one in the user's configuration
// folder. The nearest verbatim.toml is trusted only with trustIt, which is remembered until the
// file changes. The other files are always trusted.
func (a *App) Config(flag string, trustIt bool) (model.ConfigFile, error) {
	file := a.findConfig(flag)
	if trustIt && (file.path == "" || file.trusted) {
		return model.ConfigFile{}, errkind.Usagef("leave it out", "--trust-config: no verbatim.toml was found here that needs it")
	}
	if file.path == "" {
		return model.ConfigFile{}, nil
	}
	data, err := input.ReadFile(file.path, input.MaxText)
	switch {
	case errors.Is(err, fs.ErrNotExist) && file.from != "":
		return model.ConfigFile{}, errkind.Usagef("docs/models.md describes the file", "%s: there is no file %s", file.from, file.path)
	case err != nil && file.from != "":
		return model.ConfigFile{}, errkind.Usagef("docs/models.md describes the file", "%s: %w", file.from, err)
	case err != nil:
		return model.ConfigFile{}, errkind.Runtimef("", "the file that names models cannot be read: %w", err)
	}
	c, err := model.ReadConfig(file.path, data)
	if err != nil {
		return c, err
	}
	user := openTrust(a.Getenv)
	if c.Trusted = file.trusted || trustIt || user.trusts(file.path, data); trustIt {
		if err := user.trust(file.path, data); err != nil {
			a.note("%s is trusted for this command only: %s", terminal.Visible(file.path), terminal.Visible(err.Error()))
		}
	}
	return c, nil
}

// findConfig finds the file that names models, without reading it.
func (a *App) findConfig(flag string) configFile {
	switch path := a.Getenv("VERBATIM_CONFIG"); {
	case flag != "":
		return configFile{flag, "--config", true}
	case path == "off":
		return configFile{}
	case path != "":
		return configFile{path, "VERBATIM_CONFIG", true}
	}
	if dir, err := os.Getwd(); err == nil { // the folder may be removed
		if path := model.FindConfig(dir, cmp.Or(a.Getenv("HOME"), a.Getenv("USERPROFILE"))); path != "" {
			if near, err := filepath.Rel(dir, path); err == nil {
				path = near
			}
			return configFile{path: path}
		}
	}
	own := openTrust(a.Getenv).Path(model.ConfigFileName)
	if info, err := os.Stat(own); err == nil && info.Mode().IsRegular() {
		return configFile{path: own, trusted: true}
	}
	return configFile{}
}
