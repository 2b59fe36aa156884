package fake

import (
	"net/http"
	"strings"
)

// A route is where requests of one kind arrive. {} in its path stands for one or
// more characters up to a slash or a colon.
type route struct {
	method, path string
	protocol     *protocol
	serve        func(*Server, http.ResponseWriter, *http.Request)
}

// routes lists the routes, the busiest first.
func routes() []route {
	return []route{
		{"POST", "/v1/chat/completions", &chat, answer(&chat)},
		{"POST", "/openai/deployments/{}/chat/completions", &chat, answer(&chat)},
		{"POST", "/v1/responses", &responses, answer(&responses)},
		{"POST", "/v1/messages", &anthropic, answer(&anthropic)},
		{"POST", "/v1beta/models/{}:generateContent", &gemini, answer(&gemini)},
		{"POST", "/v1beta/models/{}:streamGenerateContent", &gemini, answer(&gemini)},
		{"POST", "/api/chat", &ollama, answer(&ollama)},
		{"GET", "/v1/models", &chat, listModels},
		{"GET", "/v1beta/models", &gemini, listGeminiModels},
		{"GET", "/api/tags", &ollama, listOllamaModels},
		{"GET", "/api/version", &ollama, ollamaVersion},

		{"POST", "/v1/files", &chat, batchCall(true, &chat, uploadFile)},
		{"GET", "/v1/files", &chat, batchCall(false, &chat, listFiles)},
		{"GET", "/v1/files/{}", &chat, batchCall(false, &chat, getFile)},
		{"DELETE", "/v1/files/{}", &chat, batchCall(false, &chat, deleteFile)},
		{"GET", "/v1/files/{}/content", &chat, batchCall(false, &chat, getFileContent)},
		{"POST", "/v1/batches", &chat, batchCall(true, &chat, createOpenAIBatch)},
		{"GET", "/v1/batches", &chat, batchCall(false, &chat, listOpenAIBatches)},
		{"GET", "/v1/batches/{}", &chat, batchCall(false, &chat, getOpenAIBatch)},
		{"POST", "/v1/batches/{}/cancel", &chat, batchCall(false, &chat, cancelOpenAIBatch)},

		{"POST", "/v1/messages/batches", &anthropic, batchCall(true, &anthropic, createAnthropicBatch)},
		{"GET", "/v1/messages/batches", &anthropic, batchCall(false, &anthropic, listAnthropicBatches)},
		{"GET", "/v1/messages/batches/{}", &anthropic, batchCall(false, &anthropic, getAnthropicBatch)},
		{"POST", "/v1/messages/batches/{}/cancel", &anthropic, batchCall(false, &anthropic, cancelAnthropicBatch)},
		{"GET", "/v1/messages/batches/{}/results", &anthropic, batchCall(false, &anthropic, getAnthropicResults)},

		{"POST", "/v1beta/models/{}:batchGenerateContent", &gemini, batchCall(true, &gemini, createGeminiBatch)},
		{"GET", "/v1beta/batches", &gemini, batchCall(false, &gemini, listGeminiBatches)},
		{"GET", "/v1beta/batches/{}", &gemini, batchCall(false, &gemini, getGeminiBatch)},
		{"POST", "/v1beta/batches/{}:cancel", &gemini, batchCall(false, &gemini, cancelGeminiBatch)},
	}
}

var table = routes()

// find returns the route of a path: that of the method, where it has several.
func find(method, path string) (found route, ok bool) {
	for i := range table {
		if !matches(table[i].path, path) {
			continue
		}
		if found, ok = table[i], true; found.method == method {
			break
		}
	}
	return found, ok
}

// matches reports whether path fits a pattern.
func matches(pattern, path string) bool {
	for {
		head, rest, open := strings.Cut(pattern, "{}")
		tail, ok := strings.CutPrefix(path, head)
		if !ok || !open {
			return ok && tail == ""
		}
		n := strings.IndexAny(tail, "/:")
		if n < 0 {
			n = len(tail)
		}
		if n == 0 {
			return false
		}
		pattern, path = rest, tail[n:]
	}
}
