package fake

import (
	"net/http"
)

// listModels serves the models in OpenAI's shape, and in Anthropic's for clients
// that name a version of its API.
func listModels(s *Server, w http.ResponseWriter, r *http.Request) {
	var sc script
	if r.Header.Get("Anthropic-Version") != "" {
		sc.add(`{"data":[`)
		for i, m := range s.config.models() {
			if i > 0 {
				sc.add(",")
			}
			sc.add(`{"type":"model","id":`)
			sc.str(m)
			sc.add(`,"display_name":`)
			sc.str(m)
			sc.add(`,"created_at":"2026-01-01T00:00:00Z"}`)
		}
		sc.add(`],"has_more":false,"first_id":`)
		sc.str(s.config.models()[0])
		sc.add(`,"last_id":`)
		sc.str(s.config.models()[len(s.config.models())-1])
		sc.add("}\n")
	} else {
		sc.add(`{"object":"list","data":[`)
		for i, m := range s.config.models() {
			if i > 0 {
				sc.add(",")
			}
			sc.add(`{"id":`)
			sc.str(m)
			sc.add(`,"object":"model","created":1767225600,"owned_by":"verbatim-fake"}`)
		}
		sc.add("]}\n")
	}
	w.Header()["Content-Type"] = jsonType
	w.Write(sc.b)
}
