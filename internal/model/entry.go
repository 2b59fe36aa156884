package model

// fileEntries is the file in its TOML form.
type fileEntries struct {
	Models map[string]configEntry `toml:"models"`
}

// An Entry is a model of the file in its TOML form. docs/models.md describes the keys.
type configEntry struct {
	Provider       string            `toml:"provider"`
	Wire           string            `toml:"wire"`
	BaseURL        string            `toml:"base_url"`
	Model          string            `toml:"model"`
	KeyEnv         string            `toml:"key_env"`
	AuthHeader     string            `toml:"auth_header"`
	Headers        map[string]string `toml:"headers"`
	TLS            *tlsEntry         `toml:"tls"`
	Proxy          string            `toml:"proxy"`
	PlainHTTP      bool              `toml:"plain_http"`
	Stream         *bool             `toml:"stream"`
	MaxTokensField string            `toml:"max_tokens_field"`
	SeedField      string            `toml:"seed_field"`
	StreamOptions  *bool             `toml:"stream_options"`
	ReasoningTags  []string          `toml:"reasoning_tags"`
	Context        *int64            `toml:"context"`
	Images         *bool             `toml:"images"`
	Limits         *limitsEntry      `toml:"limits"`
	Params         *paramsEntry      `toml:"params"`
	Price          *priceEntry       `toml:"price"`
}

type tlsEntry struct {
	CAFile             string `toml:"ca_file"`
	CertFile           string `toml:"cert_file"`
	KeyFile            string `toml:"key_file"`
	ServerName         string `toml:"server_name"`
	InsecureSkipVerify bool   `toml:"insecure_skip_verify"`
}

type limitsEntry struct {
	RequestsPerMinute *int64 `toml:"requests_per_minute"`
	TokensPerMinute   *int64 `toml:"tokens_per_minute"`
	Concurrency       *int64 `toml:"concurrency"`
}

type paramsEntry struct {
	Temperature     *float64       `toml:"temperature"`
	TopP            *float64       `toml:"top_p"`
	Seed            *int64         `toml:"seed"`
	ReasoningEffort string         `toml:"reasoning_effort"`
	ReasoningBudget *int64         `toml:"reasoning_budget"`
	Extra           map[string]any `toml:"extra"`
}

type priceEntry struct {
	Input   *float64 `toml:"input"`
	Cached  *float64 `toml:"cached"`
	Output  *float64 `toml:"output"`
	Request *float64 `toml:"request"`
	Batch   *float64 `toml:"batch"`
	AsOf    string   `toml:"as_of"`
}
