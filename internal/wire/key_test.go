package wire_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"log/slog"
	"strings"
	"testing"

	"verbatim/internal/wire"
)

func TestKeyDoesNotPrint(t *testing.T) {
	const secret = "sk-0123456789-secret"
	k := wire.NewKey(" " + secret + "\n")
	if k.IsZero() || k.Reveal() != secret {
		t.Fatal("the key is lost")
	}
	type hidden struct{ k wire.Key }
	var out strings.Builder
	for _, v := range []any{k, &k, []wire.Key{k}, map[string]wire.Key{"k": k}, hidden{k}, &hidden{k}, wire.Endpoint{Key: k}, &wire.Endpoint{Key: k}} {
		for _, verb := range []string{"%v", "%+v", "%#v", "%s", "%q", "%x", "%X", "%d", "%T"} {
			fmt.Fprintf(&out, verb, v)
		}
		fmt.Fprint(&out, v)
	}
	b, err := json.Marshal(map[string]any{"k": k, "p": &k, "e": []wire.Key{k}})
	if err != nil {
		t.Fatal(err)
	}
	out.Write(b)
	var log bytes.Buffer
	slog.New(slog.NewJSONHandler(&log, nil)).Info("x", "k", k, "h", hidden{k})
	slog.New(slog.NewTextHandler(&log, nil)).Info("x", "k", k, "h", hidden{k})
	out.Write(log.Bytes())
	hex := fmt.Sprintf("%x", secret)
	if s := out.String(); strings.Contains(s, secret) || strings.Contains(strings.ToLower(s), hex) {
		t.Errorf("the key shows in %s", s)
	}
	if !strings.Contains(out.String(), "[key]") {
		t.Error("a key does not show that it is there")
	}
	if zero := wire.NewKey("  "); !zero.IsZero() || fmt.Sprint(zero) != "" {
		t.Errorf("no key prints as %q", fmt.Sprint(zero))
	}
	if got := k.Hide("wrong: " + secret); got != "wrong: [key]" {
		t.Errorf("hide: %q", got)
	}
}
