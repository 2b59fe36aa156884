// Package webhook sends a notice to an address that the user names: JSON, signed with a key of the
// user's.
package webhook

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"time"
)

// SignatureHeader holds "sha256=" and the HMAC of the body, in hexadecimal digits.
const SignatureHeader = "X-Verbatim-Signature"

// attempts is how often a notice is sent until it is accepted.
const attempts = 3

// Send posts a body. With a key it is signed: the receiver computes the HMAC with SHA-256 of the
// body with the same key. A status of 200 to 299 accepts it. Others, and errors, are retried twice,
// after pause and after twice of it.
func Send(ctx context.Context, client *http.Client, address, key string, body []byte, pause time.Duration) error {
	var err error
	for i := range attempts {
		if i > 0 {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-time.After(pause << (i - 1)):
			}
		}
		if err = post(ctx, client, address, key, body); err == nil {
			return nil
		}
	}
	return err
}

func post(ctx context.Context, client *http.Client, address, key string, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write(body)
		r.Header.Set(SignatureHeader, "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	res, err := client.Do(r)
	var failed *url.Error
	if errors.As(err, &failed) {
		err = failed.Err // without the address, which may hold a secret
	}
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return fmt.Errorf("the webhook answers with HTTP %d", res.StatusCode)
	}
	return nil
}
