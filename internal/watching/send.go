package watching

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

// signatureHeader holds "sha256=" and the HMAC of the body, in hexadecimal digits.
const signatureHeader = "X-Verbatim-Signature"

// attempts is how often a notice is sent until it is accepted.
const attempts = 3

// sendNotice posts a body. With a key, its HMAC with SHA-256 is in the signatureHeader: the receiver computes
// it with the same key. A status of 200 to 299 accepts the notice. After another status or an error it
// is sent again, twice at most: after the pause, and after twice the pause. Errors do not contain the
// address, which may hold a secret.
func sendNotice(ctx context.Context, client *http.Client, address, key string, body []byte, pause time.Duration) error {
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
		if failed, ok := errors.AsType[*url.Error](err); ok {
			err = failed.Err // without the address
		}
	}
	return err
}

// post sends a notice once.
func post(ctx context.Context, client *http.Client, address, key string, body []byte) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return err
	}
	r.Header.Set("Content-Type", "application/json")
	if key != "" {
		mac := hmac.New(sha256.New, []byte(key))
		mac.Write(body)
		r.Header.Set(signatureHeader, "sha256="+hex.EncodeToString(mac.Sum(nil)))
	}
	res, err := client.Do(r)
	if err != nil {
		return err
	}
	res.Body.Close()
	if res.StatusCode < 200 || res.StatusCode > 299 {
		return fmt.Errorf("the webhook answers with HTTP %d", res.StatusCode)
	}
	return nil
}
