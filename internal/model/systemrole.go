package model

import (
	"errors"
	"regexp"
	"slices"
	"strings"

	"verbatim"
)

// SystemAsUser is the value of Params.SystemAs that sends the system text in the first user
// message.
const SystemAsUser = "user"

// systemRefusal matches messages of servers whose model has no system role, such as "System
// role not supported" and "'messages[0].role' does not support 'system'".
var systemRefusal = regexp.MustCompile(`(?i)\b(system|developer)\b.{0,60}(\bnot|n't|\bun)\W?(supported|enabled|allowed|accepted)|(not|n't) (support|accept|allow)\b.{0,60}\b(system|developer)\b`)

func hasSystem(p verbatim.Prompt) bool {
	return slices.ContainsFunc(p, func(m verbatim.Message) bool { return m.Role == "system" })
}

// refusesSystem reports whether an error says that the model has no system role.
func refusesSystem(err error) bool {
	var f *verbatim.Failure
	return errors.As(err, &f) && f.Status >= 400 && systemRefusal.MatchString(f.Error())
}

// SystemInUser returns the prompt with the text of its system messages at the beginning of the first
// user message, and whether there was such text.
func SystemInUser(p verbatim.Prompt) (verbatim.Prompt, bool) {
	var system []string
	var rest verbatim.Prompt
	for _, m := range p {
		if m.Role != "system" {
			rest = append(rest, m)
			continue
		}
		for _, part := range m.Content {
			system = append(system, part.Text)
		}
	}
	if len(system) == 0 {
		return p, false
	}
	first := verbatim.Part{Text: strings.Join(system, "\n\n")}
	for i, m := range rest {
		if m.Role != "user" {
			continue
		}
		content := slices.Clone(m.Content)
		if len(content) > 0 && content[0].Image == nil {
			content[0].Text = first.Text + "\n\n" + content[0].Text
		} else {
			content = slices.Insert(content, 0, first)
		}
		rest[i].Content = content
		return rest, true
	}
	return slices.Insert(rest, 0, verbatim.Message{Role: "user", Content: []verbatim.Part{first}}), true
}

// markSystemInUser records in a reply that the system text was in the first user message.
func markSystemInUser(reply *verbatim.Reply) {
	members, ok := strings.CutPrefix(reply.Sent, "{")
	if !ok {
		return
	}
	if strings.TrimSpace(members) != "}" {
		members = "," + members
	}
	reply.Sent = `{"system_as":"` + SystemAsUser + `"` + members
}
