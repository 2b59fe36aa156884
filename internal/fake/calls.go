package fake

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"verbatim"
	"verbatim/internal/rawjson"
)

// A wireCall answers a call of a protocol that is neither for an answer nor of a batch API, in JSON.
type wireCall func(s *Server, p *wire, r *http.Request, body []byte) ([]byte, *apiError)

// handleCall serves a wireCall.
func (s *Server) handleCall(p *wire, call wireCall, w http.ResponseWriter, r *http.Request) {
	body, err := readAll(nil, r.Body)
	if err != nil {
		s.writeError(w, p, badRequest("The request could not be read: "+err.Error(), ""))
		return
	}
	out, e := call(s, p, r, body)
	if e != nil { // not counted as refused: it is no request for an answer
		s.writeError(w, p, e)
		return
	}
	p.setHeaders(w.Header())
	sendJSON(w, out)
}

func listModels(s *Server, p *wire, _ *http.Request, _ []byte) ([]byte, *apiError) {
	return p.appendModels(nil, s.config.models()), nil
}

// showModel returns the model that the path names, as the list of models has it.
func showModel(s *Server, p *wire, r *http.Request, _ []byte) ([]byte, *apiError) {
	_, name, _ := strings.Cut(pathOf(r), "/models/")
	if s.config.Strict && !slices.Contains(s.config.models(), name) {
		return nil, &apiError{status: http.StatusNotFound, code: "model_not_found", message: "The model '" + name + "' does not exist."}
	}
	list := p.appendModels(nil, []string{name})
	for _, member := range []string{"data", "models"} {
		rawjson.Elements(rawjson.Member(list, member), func(entry []byte) { list = slices.Clone(entry) })
	}
	return list, nil
}

// countTokens counts the tokens of the prompt of a request, as member says.
func countTokens(member string) wireCall {
	return func(s *Server, p *wire, r *http.Request, body []byte) ([]byte, *apiError) {
		if inner := rawjson.Member(body, "generateContentRequest"); inner != nil { // as Gemini may have it
			body = inner
		}
		q, e := p.read(body, r)
		if e != nil {
			return nil, e
		}
		n, err := s.config.count(q.prompt)
		if err != nil {
			return nil, badRequest(err.Error(), "")
		}
		return fmt.Appendf(nil, `{"%s":%d}`, member, n), nil
	}
}

// count counts the tokens of a prompt as replies do.
func (c *Config) count(p verbatim.Prompt) (int64, error) {
	switch {
	case c.Count != nil:
		return c.Count(p)
	case c.Model != nil:
		return 0, errors.New("tokens are counted by this model in its replies only")
	}
	return promptTokens(p), nil
}
