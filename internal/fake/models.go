package fake

import "net/http"

// listModels serves the models in OpenAI's shape, and in Anthropic's for clients
// that name a version of its API.
func listModels(s *Server, w http.ResponseWriter, r *http.Request) {
	names := s.config.models()
	if r.Header.Get("Anthropic-Version") == "" {
		s.list(w, `{"object":"list","data":[`, func(sc *script, name string) {
			sc.add(`{"id":`)
			sc.str(name)
			sc.add(`,"object":"model","created":1767225600,"owned_by":"verbatim-fake"}`)
		}, "]}\n")
		return
	}
	var end script
	end.add(`],"has_more":false,"first_id":`)
	end.str(names[0])
	end.add(`,"last_id":`)
	end.str(names[len(names)-1])
	end.add("}\n")
	s.list(w, `{"data":[`, func(sc *script, name string) {
		sc.add(`{"type":"model","id":`)
		sc.str(name)
		sc.add(`,"display_name":`)
		sc.str(name)
		sc.add(`,"created_at":"2026-01-01T00:00:00Z"}`)
	}, string(end.b))
}

func listGeminiModels(s *Server, w http.ResponseWriter, _ *http.Request) {
	s.list(w, `{"models":[`, func(sc *script, name string) {
		sc.add(`{"name":`)
		sc.str("models/" + name)
		sc.add(`,"version":"001","displayName":`)
		sc.str(name)
		sc.add(`,"inputTokenLimit":1048576,"outputTokenLimit":65536,"supportedGenerationMethods":["generateContent","batchGenerateContent"]}`)
	}, "]}\n")
}

func listOllamaModels(s *Server, w http.ResponseWriter, _ *http.Request) {
	s.list(w, `{"models":[`, func(sc *script, name string) {
		sc.add(`{"name":`)
		sc.str(name)
		sc.add(`,"model":`)
		sc.str(name)
		sc.add(`,"modified_at":"2026-01-01T00:00:00Z","size":1,"digest":"0","details":{"format":"gguf","family":"fake","families":["fake"],"parameter_size":"0","quantization_level":"none"}}`)
	}, "]}\n")
}

func ollamaVersion(_ *Server, w http.ResponseWriter, _ *http.Request) {
	w.Header()["Content-Type"] = jsonType
	w.Write([]byte(`{"version":"0.0.0-fake"}` + "\n"))
}

// list sends the names between head and tail.
func (s *Server) list(w http.ResponseWriter, head string, one func(sc *script, name string), tail string) {
	var sc script
	sc.add(head)
	for i, name := range s.config.models() {
		if i > 0 {
			sc.add(",")
		}
		one(&sc, name)
	}
	sc.add(tail)
	w.Header()["Content-Type"] = jsonType
	w.Write(sc.b)
}
