package redact

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"math/rand/v2"
	"net/url"
	"slices"
	"strings"
	"testing"

	"verbatim"
)

// redactorOf returns the Redactor of secrets under the names K0, K1, …
func redactorOf(secrets ...string) Redactor {
	s := &Secrets{}
	for i, v := range secrets {
		s.Add(fmt.Sprint("K", i), v)
	}
	return New(s)
}

const testKey = "sk-proj-Zq7rT2mXv9LpWc4Jh8Yb3Nd6Fg1Ks5"

// disguises are ways in which servers write a secret.
var disguises = map[string]func(string) string{
	"as it is":   func(s string) string { return s },
	"capitals":   strings.ToUpper,
	"small":      strings.ToLower,
	"in URLs":    url.QueryEscape,
	"in paths":   url.PathEscape,
	"percent":    func(s string) string { return each(s, "%%%02X") },
	"hex":        func(s string) string { return hex.EncodeToString([]byte(s)) },
	"HEX":        func(s string) string { return fmt.Sprintf("%X", s) },
	"JSON":       func(s string) string { return each(s, `\u%04x`) },
	"marshalled": func(s string) string { b, _ := json.Marshal(s); return string(b[1 : len(b)-1]) },
	"Python":     func(s string) string { return each(s, `\x%02x`) },
	"HTML":       func(s string) string { return each(s, "&#%d;") },
	"HTML hex":   func(s string) string { return each(s, "&#x%x;") },
	"entities":   html.EscapeString,
	"base64":     func(s string) string { return base64.StdEncoding.EncodeToString([]byte(s)) },
	"base64 URL": func(s string) string { return base64.RawURLEncoding.EncodeToString([]byte(s)) },
	"base64 of a pair": func(s string) string {
		return base64.StdEncoding.EncodeToString([]byte("joe:" + s + "!"))
	},
	"base64 of another pair": func(s string) string { return base64.URLEncoding.EncodeToString([]byte("me:" + s)) },
}

func each(s, format string) string {
	var b strings.Builder
	for i := range len(s) {
		fmt.Fprintf(&b, format, s[i])
	}
	return b.String()
}

func TestRedactorDisguises(t *testing.T) {
	for _, key := range []string{testKey, `Pass"wörd <of> 4711/&\'+`} {
		r := redactorOf(key)
		for name, disguise := range disguises {
			for _, around := range [][2]string{{"", ""}, {"Incorrect key: ", " is refused"}, {`{"a":"`, `"}`}, {"x", "!"}} {
				want := around[0] + "<secret removed: K0>" + around[1]
				got := r.answer(around[0] + disguise(key) + around[1])
				// Of base64 a letter or two at the ends stay, which are shared with the text around it.
				if base := strings.HasPrefix(name, "base64"); got != want && !(base && strings.Contains(got, "<secret removed: K0>") && len(got) <= len(want)+12) {
					t.Errorf("%s: %q, want %q", name, got, want)
				}
				if again := r.answer(got); again != got {
					t.Errorf("a second time makes another text of %q: %q", got, again)
				}
			}
		}
	}
}

// A text that begins or ends in the midst of a key has a part of it: an interrupted stream, or the end of a
// long output.
func TestRedactorCuts(t *testing.T) {
	r := redactorOf(testKey, "tr0ub4dor&3")
	for n := 1; n < len(testKey); n++ {
		before, after := "the key "+testKey[:n], testKey[n:]+" is refused"
		wantBefore, wantAfter := before, after
		if n >= cutRun {
			wantBefore = "the key <secret removed: K0>"
		}
		if len(testKey)-n >= cutRun {
			wantAfter = "<secret removed: K0> is refused"
		}
		if got := r.answer(before); got != wantBefore {
			t.Errorf("%q: %q", before, got)
		}
		if got := r.answer(after); got != wantAfter {
			t.Errorf("%q: %q", after, got)
		}
		// This program marks where it cuts, also in the midst of a form.
		for name, disguise := range disguises {
			if got := r.Text("the key " + disguise(testKey[:n]) + "…"); n >= cutRun && got != "the key <secret removed: K0>" && !strings.HasPrefix(name, "base64") {
				t.Errorf("%s of %d: %q", name, n, got)
			}
		}
	}
}

// Masked forms show the ends of a key.
func TestRedactorMasks(t *testing.T) {
	r := redactorOf(testKey)
	for in, want := range map[string]string{
		"sk-pr***********1Ks5":               "<secret removed: K0>",
		"key sk-proj-Zq7…Ks5 refused":        "key <secret removed: K0> refused",
		"sk-proj-••••••••6Fg1Ks5":            "<secret removed: K0>",
		"(**************d6Fg1Ks5)":           "(<secret removed: K0>)",
		"sk-proj-Zq...":                      "<secret removed: K0>",
		"sk-prxxxxxxxxxxKs5":                 "<secret removed: K0>",
		"a *** b ... c … and **bold** sk-**": "a *** b ... c … and **bold** sk-**",
		"ends in …1Ks5":                      "ends in …1Ks5", // as on the provider's own pages
		"1, 2, ... 9":                        "1, 2, ... 9",
	} {
		if got := r.answer(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Values that authenticate nothing are no secrets, and short words of answers are not
// damaged.
func TestPlaceholdersAreNoSecrets(t *testing.T) {
	for _, key := range []string{"EMPTY", "none", "lm-studio", "ollama", "test", "dummy", "sk-no-key-required", "x", "password", "reverse", "your-api-key-here",
		"not-needed-for-local-server", "sk-xxxxxxxxxxxxxxxxxxxx", "0000000000000000", "abcdefghijklmnopqrstuvwxyz", "0123456789012345", "hunter2hunter", "banana-split-7"} {
		r := redactorOf(key)
		for _, text := range []string{key, "the word " + key + " reversed", strings.Repeat(key+" ", 3)} {
			if got := r.answer(text); got != text {
				t.Errorf("key %q: the answer %q became %q", key, text, got)
			}
		}
	}
	// A coincidence of six or eleven characters is not replaced.
	r := redactorOf(testKey)
	for _, n := range []int{6, 8, 11} {
		for at := 0; at+n <= len(testKey); at++ {
			text := "a" + testKey[at:at+n] + "#"
			if got := r.answer(text); got != text {
				t.Errorf("%q became %q", text, got)
			}
		}
	}
	// A counting sequence is not replaced either, though a key ends in it.
	r = redactorOf("sk-KEYSECRET0123456789abcdef")
	for _, text := range []string{"0123456789abcdef", "0, 1, 2, 3, 4, 5, 6, 7, 8, 9"} {
		if got := r.answer(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
}

// Short secrets are removed from messages, as a whole, and not from answers.
func TestShortSecrets(t *testing.T) {
	r := redactorOf("tr0ub4dor&3")
	if got := r.answer("tr0ub4dor&3"); got != "tr0ub4dor&3" {
		t.Errorf("answer: %q", got)
	}
	for _, disguise := range []string{"as it is", "in URLs", "base64", "hex", "JSON"} {
		if got := r.Text("wrong: " + disguises[disguise]("tr0ub4dor&3") + " "); !strings.HasPrefix(got, "wrong: <secret removed: K0>") {
			t.Errorf("%s: %q", disguise, got)
		}
	}
	if got := r.Text("tr0ub4dor"); got != "tr0ub4dor" {
		t.Errorf("a part: %q", got)
	}
}

// Of two secrets of which one is a part of the other, neither leaves a part.
func TestNestedSecrets(t *testing.T) {
	inner := testKey[8:28]
	r := redactorOf(inner, testKey)
	if got := r.answer("<" + testKey + ">"); got != "<<secret removed: K1>>" {
		t.Error(got)
	}
	if got := r.answer("<" + inner + ">"); got != "<<secret removed: K0>>" {
		t.Error(got)
	}
}

// TestRedactorProperty asks for every key and disguise: no run of 12 characters of the key is left, and what
// is no part of it is whole.
func TestRedactorProperty(t *testing.T) {
	t.Parallel()
	rnd := rand.New(rand.NewPCG(1, 2))
	const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
	const all = letters + `!#$%&'()*+,./:;<=>?@[\]^{|}~"`
	random := func(from string, n int) string {
		b := make([]byte, n)
		for i := range b {
			b[i] = from[rnd.IntN(len(from))]
		}
		return string(b)
	}
	names := slices.Sorted(maps.Keys(disguises))
	for round := range 800 {
		alphabet := letters
		if round%4 == 0 {
			alphabet = all
		}
		key := random(alphabet, 16+rnd.IntN(100))
		r := redactorOf(key[:min(len(key), 16+rnd.IntN(20))], key, random(letters, 40))
		name := names[rnd.IntN(len(names))]
		text := disguises[name](key)
		before, after := random("äöü \n", rnd.IntN(2000)), random("€ 日\n", rnd.IntN(40))
		got := r.answer(before + text + after)
		if !strings.HasPrefix(got, before) || !strings.HasSuffix(got, after) {
			t.Fatalf("key %q, %s: the text around %q is damaged: …%q…%q", key, name, text, before[max(0, len(before)-20):], got[max(0, min(len(before)-20, len(got)-100)):])
		}
		if left := leftRun(got, key); left != "" {
			t.Fatalf("key %q, %s: of %q is left %q in %q", key, name, text, left, got)
		}
		if again := r.answer(got); again != got {
			t.Fatalf("key %q, %s: a second time makes another text of %q: %q", key, name, got, again)
		}
	}
}

// leftRun returns 12 characters of the key that are still in a text, as they are or in another form.
func leftRun(text, key string) string {
	for at := 0; at+cutRun <= len(key); at++ {
		run := key[at : at+cutRun]
		if isPredictable(run) {
			continue
		}
		for _, name := range []string{"as it is", "in URLs", "percent", "hex", "JSON", "Python", "HTML"} {
			if form := disguises[name](run); strings.Contains(text, form) {
				return name + " " + form
			}
		}
	}
	return ""
}

// Every part of a reply is searched.
func TestRedactorReply(t *testing.T) {
	r := redactorOf(testKey)
	in := verbatim.Reply{Text: testKey, Reasoning: testKey, ReasoningField: testKey, FinishRaw: testKey, ServedModel: testKey, RequestID: testKey, Fingerprint: testKey,
		Sent: `{"a":"` + testKey + `"}`, Applied: `{"a":["` + testKey + `"]}`, Limits: map[string]string{"x-" + strings.ToLower(testKey): "1", "y": testKey},
		Attempts: []verbatim.Attempt{{}, {Err: testKey, RequestID: testKey, Partial: testKey[:30]}}}
	before := in.Attempts[1]
	out := in
	r.Reply(&out)
	if shown := fmt.Sprintf("%+v", out); leftRun(shown, testKey) != "" || strings.Count(shown, verbatim.SecretMark) < 12 {
		t.Error(shown)
	}
	if in.Attempts[1] != before || len(in.Limits) != 2 || in.Limits["y"] != testKey {
		t.Error("the reply that was handed in is changed")
	}
	for _, object := range []string{out.Sent, out.Applied} {
		if !json.Valid([]byte(object)) {
			t.Errorf("%s is no JSON any more", object)
		}
	}
	if got := redactorOf("9071346582917364").object(`{"seed":9071346582917364}`); got != `{"secret_removed":true}` {
		t.Errorf("an object that is no JSON without the secret: %s", got)
	}
	err := r.Error(&verbatim.Failure{Err: fmt.Errorf("no: %s", testKey), Hint: testKey, Attempts: []verbatim.Attempt{{Partial: testKey}}})
	if shown := fmt.Sprintf("%+v %v", err, err); leftRun(shown, testKey) != "" {
		t.Error(shown)
	}
}

// A Redactor prints nothing that it knows.
func TestRedactorDoesNotPrint(t *testing.T) {
	r := redactorOf(testKey)
	m := struct{ redact Redactor }{r}
	shown := fmt.Sprintf("%v %+v %#v %v %+v %#v", r, r, r, m, &m, m)
	if leftRun(shown, testKey) != "" || strings.Contains(shown, hex.EncodeToString([]byte(testKey))) || strings.Contains(shown, fmt.Sprint([]byte(testKey))) {
		t.Error(shown)
	}
}

func TestSecretParam(t *testing.T) {
	r := redactorOf(testKey)
	for in, want := range map[string]string{
		`{"top_k": 1, "stop": ["a"], "stop_token": "<|im_end|>", "max_tokens": 12345678, "eos_token_id": [1, 2]}`:                   "",
		`{"prompt_cache_key": "verbatim-2024-01-round-17", "user": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f0"}`: "",
		`{"api_key": "EMPTY", "token": "none", "chat_template_kwargs": {"enable_thinking": false}}`:                                 "",
		`{"response_format": {"type": "json_schema", "json_schema": {"key": {"type": "string"}}}}`:                                  "",
		`{"api_key": "hunter22hunter22"}`:                                     "api_key",
		`{"x": {"y": ["` + testKey + `"]}}`:                                   "x.y[0]",
		`{"x": "` + base64.StdEncoding.EncodeToString([]byte(testKey)) + `"}`: "x",
		`{"headers": {"Authorization": "Bearer abcdefgh12345678"}}`:           "headers.Authorization",
		`{"note": "sk-ant-api03-R2D2C3PO1234567890abcd"}`:                     "note",
		`{"metadata": {"signing_key": "9f86d081884c7d659a2feaa0c55ad015"}}`:   "metadata.signing_key",
		`{"aws": {"secret_access_key": "wJalrXUtnFEMI/K7MDENG/bPxRfiCY"}}`:    "aws.secret_access_key",
	} {
		var extra map[string]json.RawMessage
		if err := json.Unmarshal([]byte(in), &extra); err != nil {
			t.Fatal(in, err)
		}
		if got := r.SecretParam(extra); got != want {
			t.Errorf("%s: %q, want %q", in, got, want)
		}
	}
}

func TestRedactorCommand(t *testing.T) {
	r := redactorOf(testKey)
	for in, want := range map[string]string{
		"python3 m.py --port 8080 --max-tokens 12345678":      "python3 m.py --port 8080 --max-tokens 12345678",
		"m --api-key abcd1234efgh":                            "m --api-key SECRET",
		"m --api-key=abcd1234efgh x":                          "m --api-key=SECRET x",
		"env MY_TOKEN=abcd1234efgh m":                         "env MY_TOKEN=SECRET m",
		"m --token $TOKEN_OF_MINE --token EMPTY":              "m --token $TOKEN_OF_MINE --token EMPTY",
		"m --password 'two words'":                            "m --password SECRET",
		"m " + testKey:                                        "m <secret removed: K0>",
		"curl -H sk-ant-api03-R2D2C3PO1234567890abcd":         "curl -H SECRET",
		"the token limit was reached, the password is needed": "the token limit was reached, the password is needed",
		"openai:gpt-4o-mini-2024-07-18 key-value-store":       "openai:gpt-4o-mini-2024-07-18 key-value-store",
	} {
		if got := r.Command(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

func TestRedactorMessage(t *testing.T) {
	r := redactorOf(testKey)
	for in, want := range map[string]string{
		`no run is called "chat+http://joe:secret@h:1/v1?token=abc&api-version=1#m"`: `no run is called "chat+http://joe:PASSWORD@h:1/v1?token=VALUE&api-version=1#m"`,
		"http://secret@h/v1":                         "http://USER@h/v1",
		"http://joe:s@c@h/v1 and https://h/?a#b?c=d": "http://joe:PASSWORD@h/v1 and https://h/?a#b?c=d",
		"http://joe:PASSWORD@h/v1?a=VALUE":           "http://joe:PASSWORD@h/v1?a=VALUE",
		"parse " + testKey + ": bad":                 "parse <secret removed: K0>: bad",
		"http://127.0.0.1:8080/v1#m: no":             "http://127.0.0.1:8080/v1#m: no",
	} {
		if got := r.Message(in); got != want {
			t.Errorf("%q: %q, want %q", in, got, want)
		}
	}
}

// Tokens with log probabilities spell the answer: a secret that is removed from the answer must not
// stay in them, whether it is in one token or in several.
func TestReplyTokens(t *testing.T) {
	r := redactorOf(testKey)
	token := func(text string, top ...string) verbatim.Token {
		t := verbatim.Token{Text: text, Logprob: -0.1}
		for _, other := range top {
			t.Top = append(t.Top, verbatim.Token{Text: other, Logprob: -1})
		}
		return t
	}
	harmless := []verbatim.Token{token("the ", "the ", "a "), token("key")}
	for name, tokens := range map[string][]verbatim.Token{
		"in several tokens": {token("it is "), token(testKey[:6]), token(testKey[6:13]), token(testKey[13:])},
		"in one token":      {token("it is "), token(testKey)},
		"in an alternative": {token("it is", "it is", testKey)},
		"in a split alternative of another spelling": {token("a", testKey[:20])},
	} {
		reply := verbatim.Reply{Text: "it is nothing", Tokens: tokens}
		if r.Reply(&reply); reply.Tokens != nil || reply.Text != "it is nothing" {
			t.Errorf("%s: %v", name, reply.Tokens)
		}
	}
	reply := verbatim.Reply{Text: "the key", Tokens: harmless}
	if r.Reply(&reply); len(reply.Tokens) != 2 {
		t.Errorf("harmless tokens became %v", reply.Tokens)
	}
}

// TestPartial: the beginnings of an answer that are passed on while it comes have no part of a secret that
// the whole answer would not have, in any disguise and wherever it breaks.
func TestPartial(t *testing.T) {
	r := redactorOf(testKey)
	for name, disguise := range disguises {
		whole := "The key is " + disguise(testKey) + " and it\nends here: " + disguise(testKey)
		want, seen := r.answer(whole), ""
		for n := range len(whole) + 1 {
			now := string(r.Partial([]byte(whole[:n]), false))
			if !strings.HasPrefix(now, seen) || !strings.HasPrefix(want, now) {
				t.Fatalf("%s: after %q, %q is passed on before %q", name, seen, now, want)
			}
			seen = now
		}
		if got := string(r.Partial([]byte(whole), true)); got != want {
			t.Errorf("%s: %q is passed on of the whole, not %q", name, got, want)
		}
		if !strings.Contains(seen, "ends here: ") {
			t.Errorf("%s: only %q is passed on", name, seen)
		}
	}
	if got := string(Redactor{}.Partial([]byte("ab"), false)); got != "ab" {
		t.Errorf("without secrets %q is passed on", got)
	}
}
