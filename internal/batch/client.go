package batch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
	"verbatim/internal/wire"
)

// A body writes the requests of a batch one after the other, so that they need not be in
// memory together.
type body struct {
	api      *API
	e        wire.Endpoint
	key      string
	requests []verbatim.Request
	frame    frame
	next     int    // what buf will have next: 0: the head, then the requests, then the tail
	buf      []byte // the current part
	rest     []byte // the end of buf that was not read yet
}

// Read implements io.Reader.
func (b *body) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		b.buf = b.buf[:0]
		switch n := b.next; {
		case n == 0:
			b.buf = append(b.buf, b.frame.head...)
		case n <= len(b.requests):
			if n > 1 {
				b.buf = append(b.buf, b.frame.between...)
			}
			var err error
			if b.buf, err = b.api.append(b.buf, b.e, b.key, &b.requests[n-1]); err != nil {
				return 0, fmt.Errorf("request %d of the batch: %w", n, err)
			}
		case n == len(b.requests)+1:
			b.buf = append(b.buf, b.frame.tail...)
		default:
			return 0, io.EOF
		}
		b.next++
		b.rest = b.buf
	}
	n := copy(p, b.rest)
	b.rest = b.rest[n:]
	return n, nil
}

// A client sends the requests of one API to one endpoint.
type client struct {
	*API
	e wire.Endpoint
}

func (c client) get(ctx context.Context, path, query string) ([]byte, error) {
	return c.protocol.GetObject(ctx, c.e, path, query)
}

func (c client) post(ctx context.Context, path string, u wire.Upload) ([]byte, error) {
	return c.protocol.PostObject(ctx, c.e, path, u)
}

func (c client) postJSON(ctx context.Context, path string, doc []byte) ([]byte, error) {
	return c.post(ctx, path, wire.Upload{MediaType: "application/json", Size: int64(len(doc)),
		Open: func() io.ReadCloser { return io.NopCloser(bytes.NewReader(doc)) }})
}

func (c client) lines(ctx context.Context, path string, f func(line []byte) (bool, error)) error {
	return c.protocol.EachLine(ctx, c.e, path, f)
}

// read returns the reply, or the failure, of one request of batch id.
func (c client) read(id string, r wire.Result) (verbatim.Reply, error) {
	reply, err := c.protocol.ReadResult(c.e, r)
	if err == nil {
		reply.Batch = id
	}
	return reply, err
}

// batchID returns the id of a batch that was created.
func (c client) batchID(batch []byte, field string) (string, error) {
	id := wire.Word(rawjson.Member(batch, field))
	if !isWord(strings.ReplaceAll(id, "/", "")) {
		return "", c.malformed("the server made a batch but gave no id for it")
	}
	return id, nil
}

// incomplete returns the failure of a batch with fewer results than the provider counted.
func (c client) incomplete(got, want int64) error {
	return c.e.Failure(verbatim.Failure{Class: verbatim.Cut, Hint: "collect the batch again",
		Err: fmt.Errorf("the batch has %d results, but only %d arrived", want, got)})
}

// malformed returns the failure of a response that does not follow the API.
func (c client) malformed(what string) error {
	return c.e.Failure(verbatim.Failure{Class: verbatim.Content, Err: errors.New(c.e.Key.Hide(what)),
		Hint: "the endpoint does not follow the batch API"})
}

// malformedText is malformed with the beginning of what the server sent.
func (c client) malformedText(what string, raw []byte) error {
	// The key is removed before the text is shortened: a part of it would not be found.
	return c.malformed(what + ": " + wire.CleanLine(c.e.Key.Hide(string(raw)), 80))
}

// maxPages is the greatest number of pages of a provider's list that Find reads.
const maxPages = 50

// tooManyPages returns the failure of a search that was given up.
func (c client) tooManyPages(pages int) error {
	return c.malformed(fmt.Sprintf("the batch is not on the first %d pages of the provider's list, and there are more: look for it at the provider", pages))
}

// count returns a number, 0 without one. Google's APIs write numbers as strings.
func count(raw []byte) int64 {
	n, _ := wire.ReadCount(bytes.Trim(raw, `"`))
	return n
}
