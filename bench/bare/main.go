// Command bare requests copies as a first version of a Go program would: workers, net/http,
// encoding/json. It saves nothing, retries nothing and classifies nothing, so that it shows the cost
// of sending alone.
//
//	bare -url http://127.0.0.1:PORT/v1 -jobs 64 [-stream] prompts.jsonl
//
// A line of the file is {"prompt": …, "want": …}. It prints {"asked": n, "right": n}.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"log"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
)

type line struct{ Prompt, Want string }

type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

type request struct {
	Model     string    `json:"model"`
	Messages  []message `json:"messages"`
	MaxTokens int       `json:"max_completion_tokens"`
	Stream    bool      `json:"stream,omitempty"`
}

// An answer is a complete response, or an event of a stream.
type answer struct {
	Choices []struct {
		Message, Delta struct{ Content string }
		FinishReason   string `json:"finish_reason"`
	}
}

func main() {
	url := flag.String("url", "", "the server's address, with /v1")
	jobs := flag.Int("jobs", 64, "requests in flight")
	stream := flag.Bool("stream", false, "ask for streams")
	flag.Parse()
	f, err := os.Open(flag.Arg(0))
	if err != nil {
		log.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: *jobs, DisableCompression: true}}
	lines := make(chan line, *jobs)
	var asked, right atomic.Int64
	var workers sync.WaitGroup
	for range *jobs {
		workers.Go(func() {
			for l := range lines {
				got, err := ask(client, *url+"/chat/completions", l.Prompt, *stream)
				if err != nil {
					log.Fatal(err)
				}
				asked.Add(1)
				if got == l.Want {
					right.Add(1)
				}
			}
		})
	}
	d := json.NewDecoder(bufio.NewReaderSize(f, 1<<20))
	for d.More() {
		var l line
		if err := d.Decode(&l); err != nil {
			log.Fatal(err)
		}
		lines <- l
	}
	close(lines)
	workers.Wait()
	fmt.Printf(`{"asked": %d, "right": %d}`+"\n", asked.Load(), right.Load())
}

func ask(client *http.Client, url, prompt string, stream bool) (string, error) {
	body, err := json.Marshal(request{Model: "m", Messages: []message{{"user", prompt}}, MaxTokens: 264, Stream: stream})
	if err != nil {
		return "", err
	}
	res, err := client.Post(url, "application/json", bytes.NewReader(body))
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return "", errors.New(res.Status)
	}
	var a answer
	if !stream {
		if err := json.NewDecoder(res.Body).Decode(&a); err != nil {
			return "", err
		}
		return a.Choices[0].Message.Content, nil
	}
	var text strings.Builder
	events := bufio.NewScanner(res.Body)
	for events.Scan() {
		data, ok := bytes.CutPrefix(events.Bytes(), []byte("data: "))
		if !ok || string(data) == "[DONE]" {
			continue
		}
		a = answer{}
		if err := json.Unmarshal(data, &a); err != nil {
			return "", err
		}
		if len(a.Choices) > 0 {
			text.WriteString(a.Choices[0].Delta.Content)
		}
	}
	return text.String(), events.Err()
}
