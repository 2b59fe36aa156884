package model

import (
	"strings"
	"testing"
)

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

func TestIsInside(t *testing.T) {
	for name, want := range map[string]bool{"nano": true, " NANO ": true, "sim:careful": true, "SIM:x?a=b": true, "nano:x": false, "sim": false, "exec:sim:x": false,
		"http://sim:1/v1": false, "openai:nano": false, "box": false, "": false} {
		if got := IsBuiltIn(name, Options{}); got != want {
			t.Errorf("%q: %v", name, got)
		}
	}
}
