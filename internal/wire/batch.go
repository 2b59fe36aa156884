package wire

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"verbatim"
)

// A BatchAsk is one request of a batch.
type BatchAsk struct {
	// ID names the request in the batch: 1 to 64 of the characters A–Z, a–z, 0–9, "_"
	// and "-"; Anthropic's API has room for 53.
	ID        string
	Prompt    verbatim.Prompt
	MaxTokens int
	Params    verbatim.Params
}

// A BatchAPI takes many requests at once, to be answered within a day for less
// money. All methods are safe for concurrent use; their errors are of type
// *verbatim.Failure where a server was asked.
//
// The requests are those that the protocol's own function sends in one piece, and
// an answer counts by the same rule as one that was asked for by itself.
//
// A batch is submitted under a key of the caller's, by which it is found again
// where the caller was stopped between sending and hearing the provider's id.
type BatchAPI struct {
	protocol  *protocol
	header    http.Header // of calls without a request of the protocol's
	most      int         // requests in one batch
	mostBytes int64       // in one batch
	longestID int         // of a request; 0 is 64

	// envelope is what stands around the requests.
	envelope func(key string) envelope
	// line appends a request to a batch.
	line func(b []byte, key, id string, body []byte) []byte
	// submit sends the requests, find and collect are the methods' own work.
	submit  func(ctx context.Context, c batchClient, key string, requests payload) (string, error)
	find    func(ctx context.Context, c batchClient, key string) (string, error)
	collect func(ctx context.Context, c batchClient, id string, answer batchAnswer) (verbatim.BatchState, error)
}

// batchAnswer is what Collect calls.
type batchAnswer = func(id string, reply verbatim.Reply, err error) error

// An envelope is what stands around and between the requests of a batch.
type envelope struct{ media, head, between, tail string }

// check refuses names of requests that the API would not take.
func (b *BatchAPI) check(id string) error {
	longest := 64
	if b.longestID > 0 {
		longest = b.longestID
	}
	if !isWord(id) || len(id) > longest {
		return fmt.Errorf("the id %q cannot name a request of a batch: use 1 to %d of A–Z, a–z, 0–9, _ and -", Clean(id, 80), longest)
	}
	return nil
}

// isWord reports whether s is not empty and consists of what ids may consist of.
func isWord(s string) bool {
	for i := range len(s) {
		c := s[i]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '-') {
			return false
		}
	}
	return s != ""
}

// checkKey refuses keys that not every API can keep.
func checkKey(key string) error {
	if !isWord(key) || len(key) > 64 {
		return fmt.Errorf("the key %q cannot name a batch: use 1 to 64 of A–Z, a–z, 0–9, _ and -", Clean(key, 80))
	}
	return nil
}

// append appends one request, as it stands in the batch.
func (b *BatchAPI) append(dst []byte, e Endpoint, key string, ask BatchAsk) ([]byte, error) {
	if err := b.check(ask.ID); err != nil {
		return dst, err
	}
	r, err := b.protocol.request(e, ask.Prompt, ask.MaxTokens, ask.Params)
	if err != nil {
		return dst, err
	}
	return b.line(dst, key, ask.ID, r.body), nil
}

// Fits returns how many of the requests, from the first, fit into one batch: by
// number and by bytes. It stops before a request that cannot be sent at all. It is
// an error where that is the first, or where the first alone is too large.
func (b *BatchAPI) Fits(e Endpoint, asks []BatchAsk) (int, error) {
	e = b.at(e)
	around := b.envelope(strings.Repeat("k", 64))
	total := int64(len(around.head) + len(around.tail))
	var line []byte
	for i, ask := range asks {
		var err error
		if line, err = b.append(line[:0], e, "k", ask); err == nil {
			total += int64(len(line) + len(around.between))
			if total > b.mostBytes {
				err = fmt.Errorf("request %s has %d bytes; one batch may have %d in all", ask.ID, len(line), b.mostBytes)
			}
		}
		switch {
		case err != nil && i == 0:
			return 0, err
		case err != nil || i == b.most:
			return i, nil
		}
	}
	return len(asks), nil
}

// Submit hands the requests over as one batch and returns the provider's id for
// it. Where it fails after something was sent, Find tells whether the batch is
// there.
func (b *BatchAPI) Submit(ctx context.Context, e Endpoint, key string, asks []BatchAsk) (string, error) {
	e = b.at(e)
	if err := checkKey(key); err != nil {
		return "", err
	}
	seen := make(map[string]bool, len(asks))
	for _, ask := range asks {
		if seen[ask.ID] {
			return "", fmt.Errorf("two requests of the batch have the id %q", Clean(ask.ID, 80))
		}
		seen[ask.ID] = true
	}
	around := b.envelope(key)
	open := func() io.ReadCloser {
		return io.NopCloser(&batchBody{api: b, e: e, key: key, asks: asks, around: around})
	}
	size, err := io.Copy(io.Discard, open())
	switch {
	case err != nil:
		return "", err
	case len(asks) == 0:
		return "", errors.New("a batch needs a request")
	case len(asks) > b.most || size > b.mostBytes:
		return "", fmt.Errorf("%d requests with %d bytes are too many for one batch of at most %d with %d: ask Fits how many fit", len(asks), size, b.most, b.mostBytes)
	}
	return b.submit(ctx, batchClient{b, e}, key, payload{around.media, size, open})
}

// Find returns the id of the batch that was submitted under key, "" where the
// provider has none; an error means that it could not be found out.
func (b *BatchAPI) Find(ctx context.Context, e Endpoint, key string) (string, error) {
	if err := checkKey(key); err != nil {
		return "", err
	}
	return b.find(ctx, batchClient{b, b.at(e)}, key)
}

// Collect says how far a batch is. Once it is over, answer is called for every
// request that the provider says something of, in any order, with a reply or a
// *verbatim.Failure that has one attempt. Replies and attempts have no times and
// no record of what was sent. An error of answer ends the collecting and is
// returned as it is. Results that break off are an error, whatever came before.
//
// Where a batch failed as a whole, the state's Raw says why, as far as the
// provider does.
func (b *BatchAPI) Collect(ctx context.Context, e Endpoint, id string, answer func(id string, reply verbatim.Reply, err error) error) (verbatim.BatchState, error) {
	if !isWord(strings.ReplaceAll(id, "/", "")) {
		return verbatim.BatchState{}, fmt.Errorf("%q is no id of a batch", Clean(id, 80))
	}
	return b.collect(ctx, batchClient{b, b.at(e)}, id, answer)
}

// at returns the endpoint as it is for batches.
func (b *BatchAPI) at(e Endpoint) Endpoint {
	e.Stream = false
	return b.protocol.at(e)
}
