package fake_test

import (
	"net/http"
	"slices"
	"testing"
	"time"

	"verbatim/internal/fake"
)

// A job that is cancelled halfway keeps the answers that it has.
func TestCancelBatch(t *testing.T) {
	in(t, fake.Config{Echo: true, Batch: fake.Batch{Time: time.Minute}}, func(c caller, s *fake.Server) {
		id := c.submit(chatLines(40))
		time.Sleep(30 * time.Second)
		v := c.call("POST", "/v1/batches/"+id+"/cancel", "")
		if str(v, "status") != "cancelled" || num(v, "request_counts", "completed") != 20 || num(v, "request_counts", "failed") != 20 {
			t.Errorf("%v", v)
		}
		if rows := c.rows("/v1/files/" + str(v, "output_file_id") + "/content"); len(rows) != 20 {
			t.Errorf("%d rows", len(rows))
		}
	})
}

// A call whose reply is lost has done what it should, and lists show it. Lists go
// page by page, newest first.
func TestLostAndListed(t *testing.T) {
	in(t, fake.Config{Echo: true, Batch: fake.Batch{Lost: 1}}, func(c caller, s *fake.Server) {
		body := `{"requests":[{"custom_id":"a","params":{"model":"m","max_tokens":5,"messages":[{"role":"user","content":"q"}]}}]}`
		for range 3 {
			if status, text, err := c.do("POST", "/v1/messages/batches", "", []byte(body)); err == nil {
				t.Fatalf("%d %s", status, text)
			}
		}
		var ids []string
		path := "/v1/messages/batches?limit=2"
		for range 2 {
			v := c.call("GET", path, "")
			for _, b := range v["data"].([]any) {
				ids = append(ids, str(b, "id"))
			}
			if more := dig(v, "has_more").(bool); more != (len(ids) == 2) {
				t.Errorf("%v", v)
			}
			path = "/v1/messages/batches?limit=2&after_id=" + str(v, "last_id")
		}
		if slices.Sort(ids); len(ids) != 3 || len(slices.Compact(ids)) != 3 {
			t.Errorf("%v", ids)
		}
	})
	in(t, fake.Config{Echo: true, Batch: fake.Batch{Busy: 0.5}}, func(c caller, s *fake.Server) {
		busy := 0
		for range 100 {
			if status, _, _ := c.do("GET", "/v1/batches", "", nil); status == http.StatusServiceUnavailable {
				busy++
			}
		}
		if busy < 25 || busy > 75 {
			t.Errorf("%d of 100 calls met a busy server", busy)
		}
	})
}

// Files can be looked at and deleted.
func TestFiles(t *testing.T) {
	in(t, fake.Config{}, func(c caller, s *fake.Server) {
		id := c.upload("line\n")
		if v := c.call("GET", "/v1/files/"+id, ""); num(v, "bytes") != 5 || str(v, "purpose") != "batch" || str(v, "filename") != "in.jsonl" {
			t.Errorf("%v", v)
		}
		if v := c.call("GET", "/v1/files?purpose=batch", ""); str(v, "data", 0, "id") != id {
			t.Errorf("%v", v)
		}
		if _, text, _ := c.do("GET", "/v1/files/"+id+"/content", "", nil); text != "line\n" {
			t.Errorf("%q", text)
		}
		c.call("DELETE", "/v1/files/"+id, "")
		if status, _, _ := c.do("GET", "/v1/files/"+id, "", nil); status != http.StatusNotFound {
			t.Errorf("%d", status)
		}
	})
}

// A request of a batch that names no model is answered by the first of the server's models.
func TestBatchModel(t *testing.T) {
	in(t, fake.Config{Echo: true, Models: []string{"own", "other"}}, func(c caller, s *fake.Server) {
		id := c.submit(`{"custom_id":"a","method":"POST","url":"/v1/chat/completions","body":{"messages":[{"role":"user","content":"q"}]}}` + "\n")
		v := c.call("GET", "/v1/batches/"+id, "")
		rows := c.rows("/v1/files/" + str(v, "output_file_id") + "/content")
		if len(rows) != 1 || str(rows[0], "response", "body", "model") != "own" {
			t.Errorf("%v", rows)
		}
	})
}
