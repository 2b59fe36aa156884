package fake

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"

	"verbatim/internal/rawjson"
)

// fileRoutes returns the routes of OpenAI's files, as far as batches need them.
func fileRoutes() []batchRoute {
	return []batchRoute{
		{method: "POST", path: "/v1/files", creates: true, serve: uploadFile},
		{method: "GET", path: "/v1/files", serve: listFiles},
		{method: "GET", path: "/v1/files/{}", serve: getFile},
		{method: "DELETE", path: "/v1/files/{}", serve: deleteFile},
		{method: "GET", path: "/v1/files/{}/content", serve: getFileContent},
	}
}

func uploadFile(b *batches, _ *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	part, header, err := r.FormFile("file")
	if err != nil {
		return badRequest("'file' is a required property", "file")
	}
	defer part.Close()
	data, err := io.ReadAll(part)
	if err != nil {
		return badRequest("The file could not be read: "+err.Error(), "file")
	}
	purpose := r.FormValue("purpose")
	if purpose == "" {
		return badRequest("'purpose' is a required property", "purpose")
	}
	f := b.addFile(header.Filename, purpose, data)
	sendJSON(w, f.json(nil))
	return nil
}

func (f *file) json(b []byte) []byte {
	b = fmt.Appendf(b, `{"id":"%s","object":"file","bytes":%d,"created_at":%d,"filename":`, f.id, len(f.data), f.created.Unix())
	b = rawjson.AppendString(b, f.name)
	b = appendText(b, `,"purpose":`, f.purpose)
	return append(b, `,"status":"processed","status_details":null,"expires_at":null}`...)
}

// findFile returns the file that the path names.
func (b *batches) findFile(r *http.Request) (*file, *apiError) {
	id := pathID(r.URL.Path)
	if f := b.files[id]; f != nil {
		return f, nil
	}
	return nil, &apiError{status: http.StatusNotFound, param: "id", message: "No such File object: " + id}
}

func getFile(b *batches, _ *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	f, e := b.findFile(r)
	if e == nil {
		sendJSON(w, f.json(nil))
	}
	return e
}

func getFileContent(b *batches, _ *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	f, e := b.findFile(r)
	if e == nil {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(f.data)
	}
	return e
}

func deleteFile(b *batches, _ *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	f, e := b.findFile(r)
	if e == nil {
		delete(b.files, f.id)
		sendJSON(w, fmt.Appendf(nil, `{"id":"%s","object":"file","deleted":true}`, f.id))
	}
	return e
}

func listFiles(b *batches, _ *batchAPI, w http.ResponseWriter, r *http.Request) *apiError {
	purpose := r.URL.Query().Get("purpose")
	out := []byte(`{"object":"list","data":[`)
	n := 0
	files := slices.SortedFunc(maps.Values(b.files), func(a, b *file) int { return strings.Compare(a.id, b.id) })
	for _, f := range files {
		if purpose != "" && f.purpose != purpose {
			continue
		}
		if n++; n > 1 {
			out = append(out, ',')
		}
		out = f.json(out)
	}
	sendJSON(w, append(out, `],"has_more":false}`...))
	return nil
}
