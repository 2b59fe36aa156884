package model

import "testing"

// TestReadWaiting: the queue of four servers, and pages that do not say it.
func TestReadWaiting(t *testing.T) {
	for _, c := range []struct {
		name, page string
		want       int // below 0: unknown
	}{
		{"vLLM", "# HELP vllm:num_requests_waiting Number of requests waiting to be processed.\n# TYPE vllm:num_requests_waiting gauge\nvllm:num_requests_running{engine=\"0\",model_name=\"m\"} 8.0\nvllm:num_requests_waiting{engine=\"0\",model_name=\"m\"} 3.0\nvllm:num_requests_waiting{engine=\"1\",model_name=\"m}\"} 2.0 1700000000\n", 5},
		{"SGLang", "sglang:num_running_reqs{model_name=\"m\"} 4\nsglang:num_queue_reqs{model_name=\"m\"} 1e1\n", 10},
		{"TGI", "tgi_batch_current_size 4\r\ntgi_queue_size 0\r\n", 0},
		{"llama.cpp", "llamacpp:requests_deferred 7", 7},
		{"others", "process_cpu_seconds_total 3\nvllm:num_requests_waiting_total 9\n", -1},
		{"not a number", "tgi_queue_size NaN\n", -1},
		{"infinite", "tgi_queue_size +Inf\n", -1},
		{"negative", "tgi_queue_size -1\n", -1},
		{"no value", "tgi_queue_size \nsglang:num_queue_reqs{", -1},
		{"empty", "", -1},
	} {
		if n, ok := readWaiting(c.page); ok != (c.want >= 0) || ok && n != c.want {
			t.Errorf("%s: %d %t, want %d", c.name, n, ok, c.want)
		}
	}
}
