package model

import (
	"context"
	"math"
	"strconv"
	"strings"

	"verbatim/internal/wire"
)

// maxMetrics is how many bytes of the page of metrics are read.
const maxMetrics = 4 << 20

// isWaitingMetric reports whether a metric is the number of requests in a server's queue. vLLM,
// SGLang, TGI, and llama.cpp with --metrics have one.
func isWaitingMetric(name string) bool {
	switch name {
	case "vllm:num_requests_waiting", "sglang:num_queue_reqs", "tgi_queue_size", "llamacpp:requests_deferred":
		return true
	}
	return false
}

// waiting returns how many requests wait in the queue of the server at e, by its metrics. ok is false
// if they do not have the number. Only servers on this machine and in private networks are asked.
func waiting(ctx context.Context, e wire.Endpoint) (n int, ok bool) {
	if !isNear(e.BaseURL) {
		return 0, false
	}
	page, err := wire.GetText(ctx, atRoot(e), "/metrics", maxMetrics)
	if err != nil {
		return 0, false
	}
	return readWaiting(string(page))
}

// readWaiting returns the sum of a gauge of waiting requests in the text format of Prometheus. It has a
// line for each engine: NAME{LABELS} VALUE [TIME].
func readWaiting(page string) (n int, ok bool) {
	total := 0.0
	for line := range strings.Lines(page) {
		end := strings.IndexAny(line, "{ ")
		if end < 0 || !isWaitingMetric(line[:end]) {
			continue
		}
		rest := line[end:]
		if rest[0] == '{' {
			rest = rest[strings.LastIndexByte(rest, '}')+1:]
		}
		fields := strings.Fields(rest)
		if len(fields) == 0 {
			continue
		}
		if v, err := strconv.ParseFloat(fields[0], 64); err == nil && v >= 0 && v < math.MaxInt32 {
			total, ok = total+v, true
		}
	}
	return int(min(total, math.MaxInt32)), ok
}
