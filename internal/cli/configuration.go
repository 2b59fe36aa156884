package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"verbatim/internal/config"
	"verbatim/internal/model"
	"verbatim/internal/price"
	"verbatim/internal/reasoning"
	"verbatim/internal/terminal"
	"verbatim/internal/trust"
)

// A configuration holds the flags that say what is known of models before they
// are asked: the file that names some, what they cost, what is allowed.
type configuration struct {
	file      string
	prices    string
	plainHTTP bool
	thinkTags string
	trust     bool
}

// register adds the flags; those of how a model is asked only where one is.
func (c *configuration) register(cmd *cobra.Command, asks bool) {
	f := cmd.Flags()
	f.StringVar(&c.file, "config", "", "`file` with names and settings of models (default: $VERBATIM_CONFIG, then the nearest verbatim.toml, then the one in your configuration folder)")
	f.StringVar(&c.prices, "prices", "", "`file` of prices that override the built-in ones (default: none)")
	if asks {
		f.BoolVar(&c.plainHTTP, "plain-http", false, "permission for http:// to other machines: prompts, replies and the key are not encrypted")
		f.BoolVar(&c.trust, "trust-config", false, "permission for the verbatim.toml found here to send keys to the addresses it names; remembered until the file changes")
		f.StringVar(&c.thinkTags, "reasoning-tags", "", "`tags` around reasoning in the text, such as '<think>,</think>'; text up to the closing tag is reasoning (default: none)")
	}
}

// apply reads what the flags name into the options.
func (c *configuration) apply(env *Env, o *model.Options) (err error) {
	o.PlainHTTP = c.plainHTTP
	if c.thinkTags != "" {
		if o.Tags, err = reasoning.ParseTags(c.thinkTags); err != nil {
			return misused("write --reasoning-tags '<think>,</think>'", "--reasoning-tags: %w", err)
		}
	}
	if c.prices != "" {
		data, err := readInput(c.prices, mostPrices)
		if err != nil {
			return misused("docs/models.md describes the file", "--prices: %w", err)
		}
		if o.Prices, err = price.Read(c.prices, data); err != nil {
			return err
		}
	}
	o.Config, err = env.config(c.file, c.trust)
	return err
}

// A configFile is a file that names models.
type configFile struct {
	path    string // "" for none
	from    string // the flag or the variable that names it; "" where it was found
	trusted bool
}

// config reads the file that names models: the one of the flag, else of
// VERBATIM_CONFIG ("off" names no file), otherwise the nearest verbatim.toml, otherwise the one in
// the user's configuration folder. All but the nearest one are trusted; that one
// where trustIt is set, which is remembered, or was set before.
func (env *Env) config(flag string, trustIt bool) (config.File, error) {
	file := env.findConfig(flag)
	if trustIt && (file.path == "" || file.trusted) {
		return config.File{}, misused("leave it out", "--trust-config: no verbatim.toml was found here that needs it")
	}
	if file.path == "" {
		return config.File{}, nil
	}
	data, err := readInput(file.path, mostText)
	switch {
	case errors.Is(err, fs.ErrNotExist) && file.from != "":
		return config.File{}, misused("docs/models.md describes the file", "%s: there is no file %s", file.from, file.path)
	case err != nil && file.from != "":
		return config.File{}, misused("docs/models.md describes the file", "%s: %w", file.from, err)
	case err != nil:
		return config.File{}, failed("", "the file that names models cannot be read: %w", err)
	}
	c, err := config.Read(file.path, data)
	if err != nil {
		return c, err
	}
	user := trust.Open(env.Getenv)
	if c.Trusted = file.trusted || trustIt || user.Trusts(file.path, data); trustIt {
		if err := user.Trust(file.path, data); err != nil {
			writeNote(env, "%s is trusted for this command only: %s", terminal.Visible(file.path), terminal.Visible(err.Error()))
		}
	}
	return c, nil
}

// findConfig says which file names models.
func (env *Env) findConfig(flag string) configFile {
	switch path := env.Getenv("VERBATIM_CONFIG"); {
	case flag != "":
		return configFile{flag, "--config", true}
	case path == "off":
		return configFile{}
	case path != "":
		return configFile{path, "VERBATIM_CONFIG", true}
	}
	// A working folder that is gone has no file.
	if dir, err := os.Getwd(); err == nil {
		home := env.Getenv("HOME")
		if home == "" {
			home = env.Getenv("USERPROFILE")
		}
		if path := config.FindFile(dir, home); path != "" {
			if near, err := filepath.Rel(dir, path); err == nil {
				path = near
			}
			return configFile{path: path}
		}
	}
	own := trust.Open(env.Getenv).Path(config.FileName)
	if info, err := os.Stat(own); err == nil && info.Mode().IsRegular() {
		return configFile{path: own, trusted: true}
	}
	return configFile{}
}
