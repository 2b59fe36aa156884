package verification

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"verbatim"
	"verbatim/internal/draw"
)

// An Arm is the conditions under which the requests of a test are sent. A test compares two
// endpoints within one arm: a healthy server may answer differently in another arm.
type Arm struct {
	// Concurrency is the number of requests in flight of each side when prompts are sent for
	// the first time. Repeats and sampled replies have at least four.
	Concurrency int    `json:"concurrency"`
	Prefix      Prefix `json:"prefix"`
	Mode        Mode   `json:"mode"`
}

// A Prefix says what the cache of a server can hold of a prompt that is sent for the first time.
// The set is closed.
type Prefix string

// The prefixes.
const (
	// NewPrompts sends prompts that were not sent before, unchanged: a cache can hold what they
	// have in common with other prompts.
	NewPrompts Prefix = "new"
	// Cold puts a nonce at the front of the user text: a cache holds nothing of it.
	Cold Prefix = "cold"
	// Warm sends each prompt once in advance, and does not count that reply.
	Warm Prefix = "warm"
)

// A Mode says how replies come. The set is closed.
type Mode string

// The modes.
const (
	Usual    Mode = "" // as the command says
	Streamed Mode = "streamed"
	Plain    Mode = "plain"
)

// DefaultArm is the arm of a test that names none.
func DefaultArm() Arm { return Arm{Concurrency: 1, Prefix: NewPrompts} }

// AllArms returns four of the eight combinations of 1 and 16 requests in flight, cold and warm
// prefixes, plain and streamed replies. Every value is in two arms, and every pair of values of
// different kinds is in one.
func AllArms() []Arm {
	return []Arm{{1, Cold, Plain}, {1, Warm, Streamed}, {16, Cold, Streamed}, {16, Warm, Plain}}
}

// String returns the arm as ParseArms reads it.
func (a Arm) String() string {
	text := fmt.Sprintf("%d,%s", a.Concurrency, a.Prefix)
	if a.Mode != Usual {
		text += "," + string(a.Mode)
	}
	return text
}

// MaxArmConcurrency is the largest number of requests in flight of an arm.
const MaxArmConcurrency = 256

// ArmWords lists the words of ParseArms, without numbers.
func ArmWords() []string {
	return []string{"all", string(NewPrompts), string(Cold), string(Warm), string(Streamed), string(Plain)}
}

// ParseArms reads arms that are separated by slashes, such as 1,cold/16,warm,plain; "all" is
// AllArms. An arm has a number of requests in flight (default 1), a prefix (default cold) and a
// mode (default Usual), in any order.
func ParseArms(text string) (arms []Arm, err error) {
	if strings.TrimSpace(text) == "all" {
		return AllArms(), nil
	}
	for i, part := range strings.Split(text, "/") {
		arm, err := parseArm(part)
		switch {
		case err != nil:
			return nil, err
		case slices.Contains(arms, arm):
			return nil, fmt.Errorf("the arm %s is named twice", arm)
		case arm.Prefix == NewPrompts && i > 0:
			return nil, fmt.Errorf("the arm %s must be the first: later its prompts are not new", arm)
		}
		arms = append(arms, arm)
	}
	return arms, nil
}

// parseArm reads one arm.
func parseArm(text string) (arm Arm, err error) {
	for word := range strings.SplitSeq(text, ",") {
		word = strings.TrimSpace(word)
		n, numberErr := strconv.Atoi(word)
		twice := false
		switch p, m := Prefix(word), Mode(word); {
		case word == "":
			return arm, fmt.Errorf("the arm %q has an empty word", text)
		case numberErr == nil && (n < 1 || n > MaxArmConcurrency):
			return arm, fmt.Errorf("%d requests in flight: an arm has 1 to %d", n, MaxArmConcurrency)
		case numberErr == nil:
			twice, arm.Concurrency = arm.Concurrency != 0, n
		case p == NewPrompts || p == Cold || p == Warm:
			twice, arm.Prefix = arm.Prefix != "", p
		case m == Streamed || m == Plain:
			twice, arm.Mode = arm.Mode != Usual, m
		default:
			return arm, fmt.Errorf("the word %q is unknown: an arm has a number of requests in flight and words among %s; all is a word for a whole list", word, strings.Join(ArmWords()[1:], ", "))
		}
		if twice {
			return arm, fmt.Errorf("the arm %q has two words of a kind", text)
		}
	}
	arm.Concurrency, arm.Prefix = cmp.Or(arm.Concurrency, 1), cmp.Or(arm.Prefix, Cold)
	return arm, nil
}

// nonceDigits is the length of every nonce, so that all prompts of an arm grow by the same length.
const nonceDigits = 8

// Nonced returns a prompt as the arm sends it. In a cold arm a nonce is put before its first user
// text. The nonce follows from the seed, the arm and the key: both sides get the same one, and so
// do all prompts with that key.
func (a Arm) Nonced(seed uint64, key string, p verbatim.Prompt) verbatim.Prompt {
	if a.Prefix != Cold {
		return p
	}
	nonce := fmt.Sprintf("%0*x", nonceDigits, draw.Rand("verify-nonce", 1, a.String()+"\n"+key, seed, 0).Uint32())
	out := slices.Clone(p)
	for i, m := range out {
		if m.Role != "user" {
			continue
		}
		for k, part := range m.Content {
			if part.Image == nil {
				out[i].Content = slices.Clone(m.Content)
				out[i].Content[k].Text = nonce + "\n" + part.Text
				return out
			}
		}
	}
	return out
}

// traffic is the smallest number of requests in flight on each side when prompts are sent again.
const traffic = 4

// MaxInFlight is the largest number of requests in flight on one side.
func (a Arm) MaxInFlight() int { return max(traffic, a.Concurrency) }
