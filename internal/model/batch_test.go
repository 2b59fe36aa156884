package model

import (
	"testing"

	"verbatim"
)

// The replies of a batch pass what single replies pass: the secrets are removed, and reasoning between
// tags is moved out of the text.
func TestRefineBatch(t *testing.T) {
	const key = "sk-proj-Zq7p4422xkLm90WvA1b2c3d4"
	n := &network{pages: map[string]string{
		"127.0.0.1:1/v1/batches/b": `{"status":"completed","output_file_id":"f1"}`,
		"127.0.0.1:1/v1/files/f1/content": `{"custom_id":"s7","response":{"status_code":200,"body":{"choices":[{"message":{"role":"assistant",` +
			`"content":"<think>hm</think>abc ` + key + `"},"finish_reason":"stop"}]}}}`}}
	m, err := Open(t.Context(), "http://127.0.0.1:1/v1#m", options(n, "OPENAI_API_KEY="+key))
	if err != nil {
		t.Fatal(err)
	}
	calls := 0
	state, err := m.Model.(verbatim.Batcher).Collect(t.Context(), "b", func(seq int64, got verbatim.Reply, err error) error {
		if calls++; seq != 7 || got.Reasoning != "<think>hm</think>" || got.Text == "abc "+key || got.Text[:4] != "abc " || err != nil {
			t.Errorf("%d: %+v, %v", seq, got, err)
		}
		return nil
	})
	if err != nil || !state.Over || calls != 1 {
		t.Errorf("%+v, %v, %d calls", state, err, calls)
	}
}
