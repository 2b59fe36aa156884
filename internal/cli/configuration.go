package cli

import (
	"github.com/spf13/cobra"

	"verbatim/internal/app"
	"verbatim/internal/model"
	"verbatim/internal/price"
	"verbatim/internal/reasoning"
)

// A configuration holds the flags about the settings of models: the file that names some,
// their prices, and permissions.
type configuration struct {
	file      string
	prices    string
	plainHTTP bool
	thinkTags string
	trust     bool
}

// register adds the flags; sends says that the command sends requests.
func (c *configuration) register(cmd *cobra.Command, sends bool) {
	f := cmd.Flags()
	f.StringVar(&c.file, "config", "", "`file` with names and settings of models (default: $VERBATIM_CONFIG, then the nearest verbatim.toml, then the one in your configuration folder)")
	f.StringVar(&c.prices, "prices", "", "`file` of prices that override the built-in ones (default: none)")
	if sends {
		f.BoolVar(&c.plainHTTP, "plain-http", false, "permission for http:// to other machines: prompts, replies and the key are not encrypted")
		f.BoolVar(&c.trust, "trust-config", false, "permission for the verbatim.toml found here to send keys to the addresses it names; remembered until the file changes")
		f.StringVar(&c.thinkTags, "reasoning-tags", "", "`tags` around reasoning in the text, such as '<think>,</think>'; text up to the closing tag is reasoning (default: none)")
	}
}

// apply sets the options to what the flags name.
func (c *configuration) apply(a *app.App, o *model.Options) (err error) {
	o.PlainHTTP = c.plainHTTP
	if c.thinkTags != "" {
		if o.Tags, err = reasoning.ParseTags(c.thinkTags); err != nil {
			return app.UsageError("write --reasoning-tags '<think>,</think>'", "--reasoning-tags: %w", err)
		}
	}
	if c.prices != "" {
		data, err := app.ReadFile(c.prices, app.MaxPrices)
		if err != nil {
			return app.UsageError("docs/models.md describes the file", "--prices: %w", err)
		}
		if o.Prices, err = price.Read(c.prices, data); err != nil {
			return err
		}
	}
	o.Config, err = a.Config(c.file, c.trust)
	return err
}
