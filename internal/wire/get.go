package wire

import (
	"bytes"
	"context"
	"io"
	"net/http"

	"verbatim"
	"verbatim/internal/rawjson"
)

// Get asks an endpoint for a JSON document, such as its list of models, at path,
// which starts with a slash. The error is a *verbatim.Failure: Overload while a
// server is still loading, BadAsk where a web page answers.
func Get(ctx context.Context, e Endpoint, path string) ([]byte, error) {
	e.Stream = false // the limit on silence is for streams
	c := begin(ctx, &e)
	defer c.end()
	req, err := e.request(http.MethodGet, path)
	if err != nil {
		return nil, c.lost(verbatim.Transport, badURL{err}, "")
	}
	res, _, err := c.send(req)
	if err != nil {
		return nil, c.lost(verbatim.Transport, err, "")
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, c.refused(res)
	}
	body, err := io.ReadAll(c.body(res))
	if err != nil {
		return nil, c.lost(verbatim.Transport, err, "")
	}
	body = bytes.TrimSpace(body)
	if !rawjson.Valid(body) {
		s := readError(body, e.Key)
		if !s.page {
			return nil, c.fail(verbatim.Failure{Class: verbatim.Content, Err: unreadableError{"what came is not JSON"}, Hint: e.pathHint()}, "")
		}
		return nil, c.fail(verbatim.Failure{Class: verbatim.BadAsk, Err: s, Hint: e.pathHint()}, "")
	}
	return body, nil
}
