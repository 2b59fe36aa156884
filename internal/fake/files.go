package fake

import (
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"

	"verbatim/internal/rawjson"
)

// OpenAI's files, as far as batches need them.

func uploadFile(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
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
	f := s.store(header.Filename, purpose, data)
	send(w, f.json(nil))
	return nil
}

// store keeps a file.
func (s *Server) store(name, purpose string, data []byte) *file {
	f := &file{id: s.newID("file-"), name: name, purpose: purpose, created: time.Now(), data: data}
	s.batches.files[f.id] = f
	return f
}

func send(w http.ResponseWriter, body []byte) {
	w.Header()["Content-Type"] = jsonType
	w.Write(append(body, '\n'))
}

func (f *file) json(b []byte) []byte {
	b = fmt.Appendf(b, `{"id":"%s","object":"file","bytes":%d,"created_at":%d,"filename":`, f.id, len(f.data), f.created.Unix())
	b = rawjson.AppendString(b, f.name)
	b = append(b, `,"purpose":`...)
	b = rawjson.AppendString(b, f.purpose)
	return append(b, `,"status":"processed","status_details":null,"expires_at":null}`...)
}

// findFile returns the file that the path names.
func (s *Server) findFile(r *http.Request) (*file, *trouble) {
	id := pathID(r.URL.Path)
	if f := s.batches.files[id]; f != nil {
		return f, nil
	}
	return nil, &trouble{status: http.StatusNotFound, param: "id", message: "No such File object: " + id}
}

func getFile(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	f, t := s.findFile(r)
	if t == nil {
		send(w, f.json(nil))
	}
	return t
}

func getFileContent(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	f, t := s.findFile(r)
	if t == nil {
		w.Header().Set("Content-Type", "application/octet-stream")
		w.Write(f.data)
	}
	return t
}

func deleteFile(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	f, t := s.findFile(r)
	if t == nil {
		delete(s.batches.files, f.id)
		send(w, fmt.Appendf(nil, `{"id":"%s","object":"file","deleted":true}`, f.id))
	}
	return t
}

func listFiles(s *Server, w http.ResponseWriter, r *http.Request) *trouble {
	purpose := r.URL.Query().Get("purpose")
	b := []byte(`{"object":"list","data":[`)
	n := 0
	files := slices.SortedFunc(maps.Values(s.batches.files), func(a, b *file) int { return strings.Compare(a.id, b.id) })
	for _, f := range files {
		if purpose != "" && f.purpose != purpose {
			continue
		}
		if n++; n > 1 {
			b = append(b, ',')
		}
		b = f.json(b)
	}
	send(w, append(b, `],"has_more":false}`...))
	return nil
}
