package conformance

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestDocumented: docs/conformance.md lists exactly the divergences of the tables,
// with their protocols.
func TestDocumented(t *testing.T) {
	doc, err := os.ReadFile("../docs/conformance.md")
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string][]string{}
	for line := range strings.Lines(string(doc)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 4 { // before, name, protocols, behind
			continue
		}
		for client := range strings.SplitSeq(cells[2], ",") {
			client = strings.TrimSpace(client)
			listed[client] = append(listed[client], strings.TrimSpace(cells[1]))
		}
	}
	named := 0
	for protocol, samples := range map[string][]sample{
		"chat":      append(chatStreams(), chatDocuments()...),
		"responses": append(responsesStreams(), responsesDocuments()...),
		"anthropic": append(anthropicStreams(), anthropicDocuments()...),
		"gemini":    append(geminiStreams(), geminiDocuments()...),
		"ollama":    append(ollamaStreams(), ollamaDocuments()...),
	} {
		var names []string
		for _, s := range samples {
			if s.why != "" && !slices.Contains(names, s.why) {
				names = append(names, s.why)
			}
		}
		for _, n := range names {
			if !slices.Contains(listed[protocol], n) {
				t.Errorf("docs/conformance.md does not list %q for %s", n, protocol)
			}
		}
		for _, n := range listed[protocol] {
			if !slices.Contains(names, n) {
				t.Errorf("docs/conformance.md lists %q for %s, where no sample shows it", n, protocol)
			}
		}
		named += len(names)
	}
	t.Logf("%d divergences are listed", named)
	if named < 20 {
		t.Errorf("only %d divergences", named)
	}
}
