package redact

import (
	"strings"

	"verbatim/internal/lazyregexp"
)

var (
	keyPrefix = lazyregexp.New(`(?i)^(bearer |basic |sk-|sk_|pk-|rk_|gsk_|xai-|aiza|akia|hf_|r8_|ghp_|glpat-|key-|pplx-|nvapi-|fw_)`)
	keyBody   = lazyregexp.New(`^[A-Za-z0-9+/_-]{32,}={0,2}$`)
)

// LooksLikeKey reports whether a value is probably a secret: it has a prefix of providers' keys, or is
// a long run of letters and digits that is improbable as a name.
func LooksLikeKey(s string) bool {
	s = strings.TrimSpace(s)
	if keyPrefix.MatchString(s) {
		return len(s) >= 16
	}
	return keyBody.MatchString(s) && strings.ContainsAny(s, "0123456789") && strings.ContainsAny(strings.ToLower(s), "abcdefghijklmnopqrstuvwxyz") &&
		!strings.ContainsAny(s, "/_-")
}
