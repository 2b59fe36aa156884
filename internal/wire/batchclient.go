package wire

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"math"
	"net/http"
	"time"

	"verbatim"
	"verbatim/internal/rawjson"
)

// A batchBody writes the requests of a batch, one after the other, so that they
// need not be in memory together.
type batchBody struct {
	api    *BatchAPI
	e      Endpoint
	key    string
	asks   []BatchAsk
	around envelope
	next   int    // 0 the head, then the asks, then the tail
	buf    []byte // what was made last
	rest   []byte // of it, what is not read yet
}

func (b *batchBody) Read(p []byte) (int, error) {
	for len(b.rest) == 0 {
		b.buf = b.buf[:0]
		switch n := b.next; {
		case n == 0:
			b.buf = append(b.buf, b.around.head...)
		case n <= len(b.asks):
			if n > 1 {
				b.buf = append(b.buf, b.around.between...)
			}
			var err error
			if b.buf, err = b.api.append(b.buf, b.e, b.key, b.asks[n-1]); err != nil {
				return 0, fmt.Errorf("request %d of the batch: %w", n, err)
			}
		case n == len(b.asks)+1:
			b.buf = append(b.buf, b.around.tail...)
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

// largestDocument bounds a document that a batch API answers with: Gemini's hold
// all results.
const largestDocument = 256 << 20

// A batchClient asks a batch API.
type batchClient struct {
	api *BatchAPI
	e   Endpoint
}

// get asks for a document.
func (c batchClient) get(ctx context.Context, path, query string) ([]byte, error) {
	return c.document(ctx, c.e, func(k *call) (*http.Response, error) { return c.open(k, path, query) })
}

// open asks for what is at path.
func (c batchClient) open(k *call, path, query string) (*http.Response, error) {
	req, err := k.e.request(http.MethodGet, path)
	if err != nil {
		return nil, badURL{err}
	}
	req.URL.RawQuery = joinQuery(req.URL.RawQuery, query)
	for name, values := range c.api.header {
		if req.Header.Get(name) == "" {
			req.Header[name] = values
		}
	}
	res, _, err := k.send(req)
	return res, err
}

// post sends a body, once, and returns the document that comes for it. Large ones
// may take longer than one answer may: a second more for every 100 KiB.
func (c batchClient) post(ctx context.Context, path string, p payload) ([]byte, error) {
	e := c.e
	if e.Total > 0 {
		e.Total += time.Duration(p.size/(100<<10)) * time.Second
	}
	return c.document(ctx, e, func(k *call) (*http.Response, error) {
		return k.upload(&request{path: path, header: c.api.header, once: true}, &p)
	})
}

// postJSON is post with a document.
func (c batchClient) postJSON(ctx context.Context, path string, o *body) ([]byte, error) {
	doc, err := o.end()
	if err != nil {
		return nil, err
	}
	return c.post(ctx, path, payload{"application/json", int64(len(doc)), func() io.ReadCloser { return io.NopCloser(bytes.NewReader(doc)) }})
}

// document makes one call and returns the JSON object that it brought.
func (c batchClient) document(ctx context.Context, e Endpoint, send func(*call) (*http.Response, error)) ([]byte, error) {
	k := begin(ctx, &e)
	defer k.end()
	k.most = largestDocument
	res, err := send(k)
	if err != nil {
		return nil, k.lost(verbatim.Transport, err, "")
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return nil, k.refused(res)
	}
	doc, err := io.ReadAll(k.body(res))
	doc = bytes.TrimSpace(doc)
	switch {
	case err != nil:
		return nil, k.lost(verbatim.Cut, err, "")
	case len(doc) > 0 && doc[0] == '{' && rawjson.Valid(doc):
		return doc, nil
	case breaksOff(doc) || len(doc) == 0:
		return nil, k.spoiled(cutError{"what the server says of the batch breaks off"}, &answer{}, c.api.protocol)
	case doc[0] == '<':
		return nil, k.spoiled(readError(doc, e.Key), &answer{}, c.api.protocol)
	}
	return nil, k.spoiled(unreadableError{"what the server says of the batch is no JSON object: " + Clean(e.Key.hide(string(doc[:min(len(doc), 200)])), 80)}, &answer{}, c.api.protocol)
}

// lines calls f for every line of what is at path, which may be long, until f
// returns false or an error. A line must be a JSON object, and what is at path must
// end as its framing says. The time for a whole answer is no limit here, the one for
// silence is.
func (c batchClient) lines(ctx context.Context, path string, f func(line []byte) (bool, error)) error {
	e := c.e
	e.Stream, e.Total = true, 0
	k := begin(ctx, &e)
	defer k.end()
	k.most = math.MaxInt64
	res, err := c.open(k, path, "")
	if err != nil {
		return k.lost(verbatim.Transport, err, "")
	}
	defer res.Body.Close()
	if res.StatusCode/100 != 2 {
		return k.refused(res)
	}
	in := bufio.NewReaderSize(k.body(res), 64<<10)
	var line []byte
	for {
		more, err := in.ReadSlice('\n')
		line = append(line, more...)
		if err == bufio.ErrBufferFull && len(line) <= maxBody {
			continue
		}
		k.touch()
		switch data := bytes.TrimSpace(line); {
		case err == bufio.ErrBufferFull:
			return k.lost(verbatim.Content, tooLongError(maxBody), "")
		case err != nil && err != io.EOF:
			return k.lost(verbatim.Cut, err, "")
		case len(data) == 0:
		case data[0] == '{' && rawjson.Valid(data):
			if goOn, err := f(data); err != nil || !goOn {
				return err
			}
		case err == io.EOF && breaksOff(data):
			return k.spoiled(cutError{"the last line of the batch's results breaks off"}, &answer{}, c.api.protocol)
		default:
			return k.spoiled(unreadableError{"a line of the batch's results cannot be read: " + Clean(e.Key.hide(string(data)), 80)}, &answer{}, c.api.protocol)
		}
		if err == io.EOF {
			return nil
		}
		line = line[:0]
	}
}

// broken is the failure of results that are fewer than the provider counted.
func (c batchClient) broken(got, want int64) error {
	k := &call{e: c.e}
	return k.fail(verbatim.Failure{Class: verbatim.Cut, Hint: "collect the batch again",
		Err: fmt.Errorf("the batch has %d results, of which only %d came", want, got)}, "")
}

// strange is the failure of a document that is not what it should be.
func (c batchClient) strange(what string) error {
	k := &call{e: c.e}
	return k.fail(verbatim.Failure{Class: verbatim.Content, Err: unreadableError{c.e.Key.hide(what)},
		Hint: "the endpoint does not speak the batch API as it should"}, "")
}
