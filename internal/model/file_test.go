package model

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"verbatim/internal/input"
	"verbatim/internal/reasoning"
	"verbatim/internal/redact"
)

// readConfig reads a file of models that must be right.
func readConfig(t *testing.T, text string) ConfigFile {
	t.Helper()
	c, err := ReadConfig("verbatim.toml", []byte(text))
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	c.Trusted = true
	return c
}

func TestReadConfig(t *testing.T) {
	c := readConfig(t, `
[models.z]
base_url = "https://user.example.org/base/"
model = "m"
key_env = "Z_KEY"
auth_header = "x-key"
headers = { X-Team = "evals", X-Token = "env:Z_TOKEN" }
stream = false
max_tokens_field = "max_completion_tokens"
seed_field = "random_seed"
stream_options = false
reasoning_tags = ["<think>", "</think>"]
context = 32768
proxy = "direct"
limits = { requests_per_minute = 60, tokens_per_minute = 100_000, concurrency = 8 }

[models.z.params]
temperature = 0
top_p = 0.5
seed = 7
reasoning_effort = "low"
reasoning_budget = 2048
extra.top_k = 1
extra.chat_template_kwargs = { enable_thinking = false }

[models.z.price]
input = 0.075
cached = 0
output = 5
batch = 0.5
as_of = "2026-11-21"

[models.a]
provider = "OpenAI"
model = "gpt-4o"
`)
	all := c.Models()
	if len(all) != 2 || all[0].Name != "z" || all[1].Name != "a" {
		t.Fatalf("%+v", all)
	}
	z, a := all[0], all[1]
	if z.Address != "https://user.example.org/base" || z.Wire != "chat" || z.Model != "m" || z.KeyEnv[0] != "Z_KEY" || *z.Context != 32768 || z.Tags != (reasoning.Tags{Open: "<think>", Close: "</think>"}) {
		t.Errorf("%+v", z)
	}
	if z.Limits != (Limits{60, 100_000, 8}) {
		t.Errorf("%+v", z.Limits)
	}
	params, err := json.Marshal(z.Params)
	if err != nil || string(params) != `{"temperature":0,"top_p":0.5,"seed":7,"effort":"low","reasoning_budget":2048,"extra":{"chat_template_kwargs":{"enable_thinking":false},"top_k":1}}` {
		t.Errorf("%s, %v", params, err)
	}
	price, err := json.Marshal(z.Price)
	if err != nil || string(price) != `{"input":0.075,"cached":0,"output":5,"batch":0.5,"source":"verbatim.toml","as_of":"2026-11-21"}` {
		t.Errorf("%s, %v", price, err)
	}
	if a.Provider != "openai" || a.Wire != "chat" || a.Address != "https://api.openai.com/v1" || a.KeyEnv[0] != "OPENAI_API_KEY" || a.Price != nil || a.Context != nil || a.Limits != (Limits{}) {
		t.Errorf("%+v", a)
	}
}

// Every mistake is reported with its position and with what to do.
func TestReadConfigErrors(t *testing.T) {
	const box = "[models.box]\nbase_url = \"https://h/v1\"\n"
	tests := []struct{ text, want string }{
		{"[models.box]\n", "verbatim.toml:1:9: the model box has no address"},
		{"[model.box]\n", `verbatim.toml:1:2: there is no key "model"; did you mean models?`},
		{"models = 3\n", "verbatim.toml:1:10: expected a table, got a number"},
		{"[models]\nbox = 3\n", "verbatim.toml:2:7: expected a table, got a number"},
		{"x", "verbatim.toml:1:1: expected"},
		{box + "modle = \"m\"\n", `verbatim.toml:3:1: there is no key "modle"; did you mean model?`},
		{box + "zzzzzzzz = 1\n", "known here: provider, wire, base_url"},
		{box + "tls.ca = \"x\"\n", `verbatim.toml:3:5: there is no key "ca"; known here: ca_file`},
		{box + "limits = { concurency = 1 }\n", `verbatim.toml:3:12: there is no key "concurency"; did you mean concurrency?`},
		{box + "api_key = \"x\"\n", `verbatim.toml:3:1: there is no key "api_key"; keys stay in the environment`},
		{box + "model = 5\n", "verbatim.toml:3:9: expected a string, got a number"},
		{box + "context = \"5\"\n", "verbatim.toml:3:"},
		{box + "stream = 1\n", "expected true or false, got a number"},
		{box + "model = \"a\"\nmodel = \"b\"\n", "verbatim.toml:4:1: key model is already defined"},
		{box + "wire = \"chatt\"\n", `verbatim.toml:3:1: there is no wire "chatt"; known: chat, responses`},
		{box + "provider = \"opnai\"\n", `verbatim.toml:3:1: there is no provider "opnai"; known: llamacpp`},
		{"[models.\"a b\"]\nbase_url = \"https://h/v1\"\n", `verbatim.toml:1:9: the name "a b"`},
		{"[models.last]\nbase_url = \"https://h/v1\"\n", `verbatim.toml:1:9: the name "last"`},
		{"[models.nano]\nbase_url = \"https://h/v1\"\n", `verbatim.toml:1:9: nano is the name of the model inside this program`},
		{"[models.Nano]\nbase_url = \"https://h/v1\"\n", `verbatim.toml:1:9: nano is the name of the model inside this program`},
		{"[models.\"openai:x\"]\nbase_url = \"https://h/v1\"\n", `the name "openai:x" is not allowed`},
		{"[models.x]\nbase_url = \"h/v1\"\n", "verbatim.toml:2:1: base_url is not the address"},
		{"[models.x]\nbase_url = \"ftp://h/v1\"\n", "base_url is not the address"},
		{"[models.x]\nbase_url = \"https://h/v1#m\"\n", "the model's name under model"},
		{"[models.x]\nbase_url = \"https://joe:pw@h/v1\"\n", "verbatim.toml:2:1: the address holds a user's name"},
		{"[models.x]\nbase_url = \"https://h/v1?token=sk-123456789012345\"\n", "the address holds what looks like a key"},
		{"[models.x]\nprovider = \"azure\"\nmodel = \"gpt\"\n", "verbatim.toml:3:1: azure needs a resource"},
		{box + "key_env = \"MY KEY\"\n", "verbatim.toml:3:1: key_env is not the name of a variable"},
		{box + "key_env = \"\"\nauth_header = \"a b\"\n", "auth_header is not the name of a header"},
		{box + "headers = { \"a b\" = \"x\" }\n", `"a b" is not the name of a header`},
		{box + "headers = { X = \"env:A B\" }\n", "verbatim.toml:3:13: env: needs the name of a variable"},
		{box + "headers = { X = \"a\\nb\" }\n", "verbatim.toml:3:13: the value of the header X is not one line"},
		{box + "headers = { X = \"" + strings.Repeat("a", 1001) + "\" }\n", "is not one line of at most 1000 ASCII characters"},
		{box + "[models.box.headers]\nAuthorization = \"x\"\n", "verbatim.toml:4:1: the header Authorization carries a secret"},
		{box + "headers.X-Api-Key = \"x\"\n", "carries a secret"},
		{box + "headers.My-Token = \"x\"\n", "carries a secret"},
		{box + "tls.cert_file = \"x\"\n", "verbatim.toml:3:1: a client's certificate needs both"},
		{box + "proxy = \"proxy:3128\"\n", "verbatim.toml:3:1: it is not the address of a proxy"},
		{box + "proxy = \"http://joe:pw@proxy:3128\"\n", "verbatim.toml:3:1: the address holds a user's name"},
		{box + "proxy = \"env:\"\n", "env: needs the name of a variable"},
		{box + "max_tokens_field = \"Max Tokens\"\n", "verbatim.toml:3:1: max_tokens_field is not the name of a parameter"},
		{box + "reasoning_tags = [\"<think>\"]\n", "verbatim.toml:3:1: these are not two different tags"},
		{box + "reasoning_tags = []\n", "these are not two different tags"},
		{box + "context = 0\n", "verbatim.toml:3:1: context must be at least 1 token, got 0"},
		{box + "limits.concurrency = 0\n", "verbatim.toml:3:8: concurrency must be from 1 to 2147483647, got 0"},
		{box + "limits.tokens_per_minute = 3000000000\n", "tokens_per_minute must be from 1 to 2147483647, got 3000000000"},
		{box + "limits.requests_per_minute = -1\n", "requests_per_minute must be from 1 to 2147483647, got -1"},
		{box + "params.temperature = -1\n", "verbatim.toml:3:8: temperature must be from 0 to 1000, got -1"},
		{box + "params.top_p = nan\n", "top_p must be from 0 to 1000, got NaN"},
		{box + "params.extra.x = inf\n", "verbatim.toml:3:14: this cannot be sent as JSON"},
		{box + "price.input = 1\n", "verbatim.toml:3:1: a price needs both"},
		{box + "price = { input = -1, output = 1 }\n", "verbatim.toml:3:11: price.input is not an amount of dollars"},
		{box + "price = { input = inf, output = 1 }\n", "verbatim.toml:3:11: price.input is not an amount of dollars"},
		{box + "price = { input = 1, output = 1, batch = 50 }\n", "batch is the factor"},
		{box + "price = { input = 1, output = 1, as_of = \"soon\" }\n", "verbatim.toml:3:34: as_of is not a day"},
	}
	for _, c := range tests {
		_, err := ReadConfig("verbatim.toml", []byte(c.text))
		var f *input.FileError
		if !errors.As(err, &f) || !f.Misuse() {
			t.Errorf("%q: %v, want a *FileError", c.text, err)
			continue
		}
		if got := f.Error() + "; " + f.Hint(); !strings.Contains(got, c.want) {
			t.Errorf("%q:\n %s\nwant %s", c.text, got, c.want)
		}
		if strings.Contains(f.Error()+f.Hint(), "pw") || strings.Contains(f.Error()+f.Hint(), "sk-1") {
			t.Errorf("%q: the error repeats a secret: %v", c.text, f)
		}
	}
}

// A value that looks like a key is refused wherever it is, and never repeated.
func TestConfigHoldsNoKeys(t *testing.T) {
	secrets := []string{
		"sk-1234567890abcdef", "sk-ant-api03-aBcDeFgH", "gsk_aBcDeFgHiJkLmNoP1234", "AIzaSyA1234567890abcdefghijk", "xai-aBcDeFgHiJkLmNoP",
		"Bearer abcdefgh1234", "hf_abcdefghijklmnop12", "0123456789abcdef0123456789abcdef", "A1b2C3d4E5f6G7h8I9j0K1l2M3n4O5p6Q7r8",
	}
	places := []string{
		"[models.x]\nbase_url = \"https://h/v1\"\nmodel = %q\n",
		"[models.x]\nbase_url = \"https://h/v1\"\nkey_env = %q\n",
		"[models.x]\nbase_url = \"https://h/v1\"\napi_key = %q\n",
		"[models.x]\nbase_url = \"https://h/v1\"\nheaders = { X-Team = %q }\n",
		"[models.x]\nbase_url = \"https://h/v1\"\nheaders = { Authorization = %q }\n",
		"[models.x]\nbase_url = \"https://h/v1\"\nparams.extra.list = [1, { key = %q }]\n",
		"[models.x]\nbase_url = \"https://h/v1\"\nparams.reasoning_effort = %q\n",
		"key = %q\n",
		"[models.x.y]\nz = %q\n",
	}
	for _, secret := range secrets {
		for _, at := range places {
			text := fmt.Sprintf(at, secret)
			_, err := ReadConfig("verbatim.toml", []byte(text))
			var f *input.FileError
			if !errors.As(err, &f) || f.Line != strings.Count(text, "\n") || !strings.Contains(f.Advice, "key_env") {
				t.Errorf("%s: %v", text, err)
			}
			if strings.Contains(fmt.Sprintf("%v %+v %#v %s", err, err, err, f.Hint()), secret) {
				t.Errorf("%s: the error repeats the key: %v", text, err)
			}
		}
	}
	for _, plain := range []string{"", "gpt-4o", "meta-llama/Llama-4-Maverick-17B-128E-Instruct-FP8", "ft:gpt-4o-mini-2024-07-18:acme::9ABCDEFGH", "OPENAI_API_KEY",
		"MY_VERY_OWN_ENDPOINT_KEY_NUMBER_2_FOR_EVALS", "https://gpu.example.org/v1", "Qwen2.5-0.5B-Instruct-Q4_K_M.gguf", "sk-test", "<think>"} {
		if redact.LooksLikeKey(plain) {
			t.Errorf("%q is taken for a key", plain)
		}
	}
}

func TestFindConfig(t *testing.T) {
	root := t.TempDir()
	dir := func(parts ...string) string {
		path := filepath.Join(append([]string{root}, parts...)...)
		if err := os.MkdirAll(path, 0o777); err != nil {
			t.Fatal(err)
		}
		return path
	}
	file := func(at string) string {
		path := filepath.Join(at, ConfigFileName)
		if err := os.WriteFile(path, nil, 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	outer := file(dir())
	home := dir("home")
	deep := dir("home", "work", "deep")
	stray := dir("stray", "deep")
	dir("stray", "repo", ".git")
	inRepo := dir("stray", "repo", "deep")
	if got := FindConfig(deep, home); got != "" {
		t.Errorf("above the home folder: %q", got)
	}
	atHome := file(home)
	if got := FindConfig(deep, home); got != atHome {
		t.Errorf("at home: %q", got)
	}
	near := file(dir("home", "work"))
	if got := FindConfig(deep, home+"/"); got != near {
		t.Errorf("the nearest: %q", got)
	}
	dir("home", "work", "deep", ".git")
	if got := FindConfig(deep, home); got != "" {
		t.Errorf("above the repository: %q", got)
	}
	if got := FindConfig(stray, home); got != "" {
		t.Errorf("somebody else's: %q", got)
	}
	if got := FindConfig(root, home); got != outer {
		t.Errorf("here: %q", got)
	}
	if got := FindConfig(inRepo, ""); got != "" {
		t.Errorf("above the repository: %q", got)
	}
	if at := file(dir("stray", "repo")); FindConfig(inRepo, "") != at {
		t.Errorf("at the root of the repository: %q", FindConfig(inRepo, ""))
	}
	dir("home", "odd", ConfigFileName)
	if got := FindConfig(filepath.Join(home, "odd"), home); got != atHome {
		t.Errorf("a folder of that name: %q", got)
	}
}

// Every key of the file is described in the guide, whose example is right.
func TestConfigIsDocumented(t *testing.T) {
	guide, err := os.ReadFile(filepath.Join("..", "..", "docs", "models.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, found := strings.Cut(string(guide), "```toml\n")
	example, _, closed := strings.Cut(rest, "```")
	if !found || !closed {
		t.Fatal("docs/models.md has no example in TOML")
	}
	c := readConfig(t, example)
	if len(c.Models()) < 3 {
		t.Errorf("the example has %d models", len(c.Models()))
	}
	_, rest, found = strings.Cut(string(guide), "```json\n")
	prices, _, _ := strings.Cut(rest, "```")
	if p, err := ReadPrices("docs/models.md", []byte(prices)); !found || err != nil || len(p.All()) != 2 {
		t.Errorf("the table of prices in docs/models.md: %v", err)
	}
	for _, p := range Providers() {
		named := strings.Contains(string(guide), "`"+p.Name+":")
		for _, key := range p.KeyEnv {
			named = named && strings.Contains(string(guide), "`"+key+"`")
		}
		if !named {
			t.Errorf("docs/models.md lacks %s or its key", p.Name)
		}
	}
	keys := 0
	for _, path := range [][]string{{"models", "x"}, {"models", "x", "tls"}, {"models", "x", "limits"}, {"models", "x", "params"}, {"models", "x", "price"}} {
		known, _ := knownKeys(reflect.TypeFor[fileEntries](), path)
		for _, key := range known {
			keys++
			if !strings.Contains(example, key+" = ") && !strings.Contains(example, "."+key+"]") {
				t.Errorf("the example in docs/models.md lacks %s of %s", key, strings.Join(path, "."))
			}
		}
	}
	if keys < 35 {
		t.Errorf("only %d keys were found", keys)
	}
}

func FuzzReadConfig(f *testing.F) {
	f.Add([]byte("[models.x]\nbase_url = \"https://h/v1\"\n"))
	f.Add([]byte("[models.x]\nbase_url = \"https://h/v1\"\nparams.extra.a = [1, {b = 2}]\nheaders = {X = \"env:Y\"}\n"))
	f.Add([]byte("[[models]]\n"))
	f.Add([]byte("models.x.tls = {}\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		c, err := ReadConfig("verbatim.toml", data)
		var e *input.FileError
		if err != nil && !errors.As(err, &e) {
			t.Errorf("%v", err)
		}
		for _, m := range c.Models() {
			if m.Wire == "" || !modelName.MatchString(m.Name) {
				t.Errorf("%+v", m)
			}
		}
	})
}

// TestNeedsTrust: a file that was found may send a key of a provider to this provider only, whichever
// of the provider's variables holds it.
func TestNeedsTrust(t *testing.T) {
	for text, want := range map[string]string{
		"provider = \"gemini\"\nmodel = \"m\"\n": "",
		"base_url = \"https://generativelanguage.googleapis.com/v1beta\"\nkey_env = \"GOOGLE_API_KEY\"\nmodel = \"m\"\n": "",
		"base_url = \"https://generativelanguage.googleapis.com/v1beta\"\nkey_env = \"OPENAI_API_KEY\"\nmodel = \"m\"\n": "may not send OPENAI_API_KEY to",
		"base_url = \"https://example.org/v1\"\nkey_env = \"GEMINI_API_KEY\"\nmodel = \"m\"\n":                           "may not send GEMINI_API_KEY to https://example.org/v1",
	} {
		file, err := ReadConfig("verbatim.toml", []byte("[models.x]\n"+text))
		if err != nil {
			t.Fatal(err)
		}
		err = file.Models()[0].needsTrust()
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want)) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// A file that was found and not named sends no host a secret but a provider's key
// to the provider itself.
func TestUntrustedConfig(t *testing.T) {
	const evil = "base_url = \"https://evil.example/v1\"\nmodel = \"m\"\n"
	const secret = "secret-0123456789"
	env := []string{"OPENAI_API_KEY=" + secret, "AZURE_OPENAI_API_KEY=" + secret, "GEMINI_API_KEY=" + secret, "AWS_SECRET_ACCESS_KEY=" + secret, "VERBATIM_API_KEY=" + secret,
		"PROXY_URL=http://joe:" + secret + "@127.0.0.1:1", "MISTRAL_API_KEY=" + secret}
	for _, c := range []struct{ name, entry, want string }{ // want "": it opens
		{"an address", evil, ""},
		{"a header", evil + "headers = { X-Team = \"evals\" }\n", ""},
		{"a plain proxy and a certificate, without a key", evil + "proxy = \"http://127.0.0.1:1\"\ntls = { insecure_skip_verify = true }\n", ""},
		{"a variable", evil + "key_env = \"AWS_SECRET_ACCESS_KEY\"\n", "verbatim.toml:4:1: the file was found and not named, and may not send AWS_SECRET_ACCESS_KEY to https://evil.example/v1"},
		{"a provider's variable", evil + "key_env = \"OPENAI_API_KEY\"\n", "verbatim.toml:4:1:"},
		{"our variable", evil + "key_env = \"VERBATIM_API_KEY\"\n", "verbatim.toml:4:1:"},
		{"our variable, on this machine", "base_url = \"http://127.0.0.1:9/v1\"\nmodel = \"m\"\nkey_env = \"VERBATIM_API_KEY\"\n", "verbatim.toml:4:1:"},
		{"a header's variable", evil + "headers = { X-A = \"env:AWS_SECRET_ACCESS_KEY\" }\n", "verbatim.toml:4:13:"},
		{"a proxy's variable", evil + "proxy = \"env:PROXY_URL\"\n", "verbatim.toml:4:1:"},
		{"a certificate", evil + "tls = { cert_file = \"/home/a/c.pem\", key_file = \"/home/a/k.pem\" }\n", "verbatim.toml:4:9:"},
		{"a provider", "provider = \"openai\"\nmodel = \"m\"\n", ""},
		{"a provider's own address", "base_url = \"https://api.openai.com/v1\"\nmodel = \"m\"\nkey_env = \"OPENAI_API_KEY\"\n", ""},
		{"a provider, by its own variable", "provider = \"mistral\"\nmodel = \"m\"\nkey_env = \"MISTRAL_API_KEY\"\n", ""},
		{"a provider, by another variable", "provider = \"openai\"\nmodel = \"m\"\nkey_env = \"AWS_SECRET_ACCESS_KEY\"\n", "verbatim.toml:4:1:"},
		{"a provider with another address", "provider = \"openai\"\nbase_url = \"https://evil.example/v1\"\nmodel = \"m\"\nkey_env = \"OPENAI_API_KEY\"\n", "verbatim.toml:5:1:"},
		{"the address in the clear", "base_url = \"http://api.openai.com/v1\"\nmodel = \"m\"\nplain_http = true\nkey_env = \"OPENAI_API_KEY\"\n", "verbatim.toml:5:1:"},
		{"another port", "base_url = \"https://api.openai.com:8443/v1\"\nmodel = \"m\"\nkey_env = \"OPENAI_API_KEY\"\n", "verbatim.toml:4:1:"},
		{"a host that begins alike", "base_url = \"https://api.openai.com.evil.example/v1\"\nmodel = \"m\"\nkey_env = \"OPENAI_API_KEY\"\n", "verbatim.toml:4:1:"},
		{"a provider through a proxy", "provider = \"openai\"\nmodel = \"m\"\nproxy = \"http://evil.example:3128\"\n", "verbatim.toml:4:1:"},
		{"a provider without a proxy", "provider = \"openai\"\nmodel = \"m\"\nproxy = \"direct\"\n", ""},
		{"a provider with an authority", "provider = \"openai\"\nmodel = \"m\"\ntls = { ca_file = \"ca.pem\" }\n", "verbatim.toml:4:1:"},
		{"a provider with another name", "provider = \"openai\"\nmodel = \"m\"\ntls = { server_name = \"evil.example\" }\n", "verbatim.toml:4:1:"},
		{"a provider unchecked", "provider = \"gemini\"\nmodel = \"m\"\ntls = { insecure_skip_verify = true }\n", "verbatim.toml:4:1:"},
		{"a resource", "provider = \"azure\"\nmodel = \"evil.example/m\"\n", "verbatim.toml:3:1:"},
		{"a resource at Azure", "provider = \"azure\"\nmodel = \"somebodys/m\"\n", "verbatim.toml:3:1:"},
		{"a provider for nothing", "provider = \"openai\"\nmodel = \"m\"\nprice = { input = 0, output = 0 }\n", "verbatim.toml:4:1: the file was found and not named, and may not say price of a model that is paid with OPENAI_API_KEY"},
		{"a provider, many times over", "provider = \"openai\"\nmodel = \"m\"\nparams.extra = { n = 128 }\n", "verbatim.toml:4:8:"},
		{"a provider with a seed that is another parameter", "provider = \"openai\"\nmodel = \"m\"\nseed_field = \"n\"\nparams.seed = 128\n", "verbatim.toml:4:1: the file was found and not named, and may not say seed_field"},
		{"a provider without a limit", "provider = \"openai\"\nmodel = \"m\"\nmax_tokens_field = \"user\"\n", "verbatim.toml:4:1:"},
		{"a provider with the other name of the limit", "provider = \"openai\"\nmodel = \"m\"\nmax_tokens_field = \"max_completion_tokens\"\n", ""},
		{"a provider with a header", "provider = \"openai\"\nmodel = \"m\"\nheaders = { OpenAI-Organization = \"org-1\" }\n", "verbatim.toml:4:1: the file was found and not named, and may not say headers of a model that is paid with OPENAI_API_KEY"},
		{"a local server with a header", "provider = \"vllm\"\nmodel = \"m\"\nheaders = { X-Team = \"evals\" }\n", ""},
		{"another server's fields", evil + "seed_field = \"random_seed\"\nmax_tokens_field = \"limit\"\n", ""},
		{"a provider with a parameter", "provider = \"openai\"\nmodel = \"m\"\nparams.temperature = 0\n", ""},
		{"a local server", "provider = \"vllm\"\nmodel = \"m\"\n", ""},
	} {
		for _, unasked := range []bool{false, true} {
			o := options(&network{pages: map[string]string{}}, env...)
			o.NoRequests = unasked
			o.Config = trustedFile(t, "[models.x]\n"+c.entry)
			m, err := Open(t.Context(), "x", o)
			if err != nil && !strings.Contains(c.name, "certificate") && !strings.Contains(c.name, "authority") {
				t.Errorf("%s, trusted: %v", c.name, err)
			} else if err == nil {
				m.Close()
			}
			o.Config.Trusted = false
			m, err = Open(t.Context(), "x", o)
			switch {
			case err == nil:
				m.Close()
				if c.want != "" {
					t.Errorf("%s: it opens", c.name)
				}
			case c.want == "" || !strings.HasPrefix(err.Error(), c.want):
				t.Errorf("%s: %v, want %s", c.name, err, c.want)
			case strings.Contains(err.Error(), secret):
				t.Errorf("%s: %v", c.name, err)
			}
		}
	}
}

// What decides where a model is, or what is executed, is in its destination; what it
// costs and is sent is not.
func TestDestination(t *testing.T) {
	of := func(name, config string) string {
		return Destination(name, Options{Config: trustedFile(t, config)})
	}
	const box = "[models.box]\nbase_url = \"https://h/v1\"\nmodel = \"m\"\n"
	for _, c := range []struct {
		name, a, b string
		same       bool
	}{
		{"box", box, box, true},
		{"box", box, box + "price = { input = 1, output = 2 }\nparams.seed = 1\nlimits.concurrency = 2\ncontext = 5\n", true},
		{"box", box, strings.Replace(box, "https://h/", "https://i/", 1), false},
		{"box", box, box + "key_env = \"A\"\n", false},
		{"box", box, box + "proxy = \"http://p:1\"\n", false},
		{"box", box, box + "tls = { insecure_skip_verify = true }\n", false},
		{"box", box, "", false},
		{"box", box, strings.Replace(box, "\"m\"", "\"m-2027\"", 1), true},
		{"box", "[models.box]\nprovider = \"azure\"\nmodel = \"a/m\"\n", "[models.box]\nprovider = \"azure\"\nmodel = \"b/m\"\n", false},
		{"openai:m", box, "", true},
	} {
		if got := of(c.name, c.a) == of(c.name, c.b); got != c.same {
			t.Errorf("%s: same %v\n%s\n%s", c.name, got, c.a, c.b)
		}
	}
	for _, pair := range [][2]string{{"exec:a", "exec:b"}, {"exec:a b", "exec:'a b'"}, {"http://h/v1#m", "http://i/v1#m"}, {"openai:m", "groq:m"}, {"exec:'", "exec:"}} {
		if of(pair[0], "") == of(pair[1], "") {
			t.Errorf("%s and %s are the same", pair[0], pair[1])
		}
	}
	before := of("exec:sh x.sh", "")
	t.Chdir(t.TempDir())
	if of("exec:sh x.sh", "") == before {
		t.Error("the working folder is not in the destination of a command")
	}
}

func TestCode(t *testing.T) {
	t.Chdir(t.TempDir())
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile("x.sh", []byte(text), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	for _, name := range []string{"exec:./x.sh", "exec:sh x.sh", "exec:sh --f=x.sh", "exec:sh -c 'y <x.sh; z'", "exec:sh '-c(x.sh)'", "EXEC:sh x.sh -temp 1 2>/dev/null --m y"} {
		write("")
		before, err := Code(name)
		again, _ := Code(name)
		write("1")
		if after, _ := Code(name); err != nil || before == "" || again != before || after == before {
			t.Errorf("%s: %v, %q, %q after a change of x.sh", name, err, before, after)
		}
	}
	for _, name := range []string{"exec:sh -m x", "exec:sh -mx", "exec:sh -uIm x", "exec:sh -c 'python3 -m x'", "exec:env -S 'python3 -mx'",
		"exec:sh -c 'cd .; x.sh'", "exec:sh -c 'sh *.sh'", "exec:sh -c 'sh $PWD/x.sh'", "exec:env -Mx -e 1", "exec:env -c 'import x'", "exec:sh .", "exec:sh /dev/null", "exec:'", "exec:", "exec:no-such-program"} {
		if code, err := Code(name); err == nil || code != "" {
			t.Errorf("%s: %q, and no doubt", name, code)
		}
	}
}

func TestIsInside(t *testing.T) {
	for name, want := range map[string]bool{"nano": true, " NANO ": true, "sim:careful": true, "SIM:x?a=b": true, "nano:x": false, "sim": false, "exec:sim:x": false,
		"http://sim:1/v1": false, "openai:nano": false, "box": false, "": false} {
		if got := IsBuiltIn(name, Options{}); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
