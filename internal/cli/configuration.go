package cli

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"verbatim/internal/model"
)

// A configuration holds the flags that say what is known of models before they
// are asked: the file that names some, what they cost, what is allowed.
type configuration struct {
	file      string
	prices    string
	plainHTTP bool
	thinkTags string
}

// register adds the flags; those of how a model is asked only where one is.
func (c *configuration) register(cmd *cobra.Command, asks bool) {
	f := cmd.Flags()
	f.StringVar(&c.file, "config", "", "the `file` that names models (default: the nearest verbatim.toml, or $VERBATIM_CONFIG)")
	f.StringVar(&c.prices, "prices", "", "a `file` of prices that count before the built-in ones")
	if asks {
		f.BoolVar(&c.plainHTTP, "plain-http", false, "allow http:// to other machines: prompts, answers and the key go in the clear")
		f.StringVar(&c.thinkTags, "think-tags", "", "take what stands up to the closing `tag` for thinking, such as '<think>,</think>'")
	}
}

// apply reads what the flags name into the options.
func (c *configuration) apply(env *Env, o *model.Options) (err error) {
	o.PlainHTTP = c.plainHTTP
	if c.thinkTags != "" {
		if o.Think, err = model.ParseTags(c.thinkTags); err != nil {
			return misused("write --think-tags '<think>,</think>'", "--think-tags: %w", err)
		}
	}
	if c.prices != "" {
		data, err := readInput(c.prices, mostPrices)
		if err != nil {
			return misused("docs/models.md describes the file", "--prices: %w", err)
		}
		if o.Prices, err = model.ReadPrices(c.prices, data); err != nil {
			return err
		}
	}
	o.Config, err = env.config(c.file)
	return err
}

// config reads the file that names models: the one of the flag, else of
// VERBATIM_CONFIG ("off" is none), else the nearest verbatim.toml.
func (env *Env) config(flag string) (model.Config, error) {
	path, from := flag, "--config"
	if path == "" {
		path, from = env.Getenv("VERBATIM_CONFIG"), "VERBATIM_CONFIG"
		if path == "off" {
			return model.Config{}, nil
		}
	}
	if path == "" {
		dir, err := os.Getwd()
		if err != nil {
			return model.Config{}, nil // a folder that is gone has no file
		}
		home := env.Getenv("HOME")
		if home == "" {
			home = env.Getenv("USERPROFILE")
		}
		if path, from = model.FindConfig(dir, home), ""; path == "" {
			return model.Config{}, nil
		}
		if near, err := filepath.Rel(dir, path); err == nil {
			path = near
		}
	}
	data, err := readInput(path, mostText)
	switch {
	case errors.Is(err, fs.ErrNotExist) && from != "":
		return model.Config{}, misused("docs/models.md describes the file", "%s: there is no file %s", from, path)
	case err != nil && from != "":
		return model.Config{}, misused("docs/models.md describes the file", "%s: %w", from, err)
	case err != nil:
		return model.Config{}, failed("", "the file that names models cannot be read: %w", err)
	}
	return model.ReadConfig(path, data)
}
