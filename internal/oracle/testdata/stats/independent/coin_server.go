// coin-flip model server: OpenAI chat completions. The model's name says how it errs:
//
//	p0.9[-tag]        each request right with probability .9, independently
//	h0.8_0.5[-tag]    a share .8 of items always right, the others right with prob .5 per request
//	d0.9[-tag]        deterministic: item right by hash with prob .9, same every time
//	L5_1.5_0.02[-tag] logistic: (1-lapse)/(1+exp(-k(theta-log2 len)))
//	S32_1_0[-tag]     step: right with prob a up to length 32, b beyond
//	c0.9_0.5[-tag]    correlated clusters: see code (prob by family hash)
package main

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"io"
	"math"
	"math/rand/v2"
	"net"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"strings"
)

var quoted = regexp.MustCompile(`"([^"]*)"\s*$`)

func h01(s, salt string) float64 {
	h := fnv.New64a()
	h.Write([]byte(salt))
	h.Write([]byte{0})
	h.Write([]byte(s))
	x := h.Sum64()
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	x ^= x >> 33
	x *= 0xc4ceb9fe1a85ec53
	x ^= x >> 33
	return float64(x>>11) / (1 << 53)
}

func main() {
	handler := func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/chat/completions") {
			w.Header().Set("Content-Type", "application/json")
			io.WriteString(w, `{"object":"list","data":[{"id":"p0.9","object":"model"}]}`)
			return
		}
		var q struct {
			Model    string `json:"model"`
			Stream   bool   `json:"stream"`
			Messages []struct {
				Role    string `json:"role"`
				Content any    `json:"content"`
			} `json:"messages"`
		}
		json.NewDecoder(r.Body).Decode(&q)
		text := ""
		if n := len(q.Messages); n > 0 {
			text, _ = q.Messages[n-1].Content.(string)
		}
		src := ""
		if m := quoted.FindStringSubmatch(text); m != nil {
			src = m[1]
		}
		name, tag, _ := strings.Cut(q.Model, "-")
		var par []float64
		for _, f := range strings.Split(name[1:], "_") {
			v, _ := strconv.ParseFloat(f, 64)
			par = append(par, v)
		}
		p := 0.0
		switch name[0] {
		case 'p':
			p = par[0]
		case 'h':
			p = 1
			if h01(src, "h") >= par[0] {
				p = par[1]
			}
		case 'd':
			p = 0
			if h01(src, "d"+tag) < par[0] {
				p = 1
			}
		case 'L':
			p = (1 - par[2]) / (1 + math.Exp(-par[1]*(par[0]-math.Log2(float64(len(src))))))
		case 'S':
			p = par[1]
			if float64(len(src)) > par[0] {
				p = par[2]
			}
		case 'b': // item difficulty: Beta-like two-point mixture via hash: p = par0 for half, par1 for other half
			p = par[0]
			if h01(src, "b") < 0.5 {
				p = par[1]
			}
		}
		ans := src
		if rand.Float64() >= p {
			b := []byte(src)
			if len(b) > 1 {
				b = append(b[:len(b)/2], b[len(b)/2+1:]...)
				b = append(b, 'Q', 'Q')
			} else {
				b = []byte("QQQ")
			}
			ans = string(b)
		}
		a, _ := json.Marshal(ans)
		if q.Stream {
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprintf(w, "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"model\":%q,\"choices\":[{\"index\":0,\"delta\":{\"role\":\"assistant\",\"content\":%s},\"finish_reason\":null}]}\n\n", q.Model, a)
			fmt.Fprintf(w, "data: {\"id\":\"x\",\"object\":\"chat.completion.chunk\",\"model\":%q,\"choices\":[{\"index\":0,\"delta\":{},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5,\"total_tokens\":15}}\n\ndata: [DONE]\n\n", q.Model)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, "{\"id\":\"x\",\"object\":\"chat.completion\",\"model\":%q,\"choices\":[{\"index\":0,\"message\":{\"role\":\"assistant\",\"content\":%s},\"finish_reason\":\"stop\"}],\"usage\":{\"prompt_tokens\":10,\"completion_tokens\":5,\"total_tokens\":15}}", q.Model, a)
	}
	l, err := net.Listen("tcp", os.Args[1])
	if err != nil {
		panic(err)
	}
	fmt.Println("listening", l.Addr())
	panic(http.Serve(l, http.HandlerFunc(handler)))
}
