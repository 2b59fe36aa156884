package nano

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"verbatim"
)

// ErrImage is the error of a prompt with an image: the network reads text only.
var ErrImage = errors.New("the prompt holds an image, and nano reads text only")

// TooLong is the error of a prompt that leaves no room for an answer in Context.
type TooLong struct {
	Tokens int // of the prompt
}

// Error says how long the prompt is, and how long it may be.
func (e *TooLong) Error() string {
	return fmt.Sprintf("the prompt has %d tokens, and nano reads at most %d", e.Tokens, Context-1)
}

// An Answer is what the network wrote, and how much it read and wrote.
type Answer struct {
	Text       string // not necessarily valid UTF-8
	Prompt     int    // tokens read
	Completion int    // tokens written, without the one that ends an answer
	Cut        bool   // the token limit or the Context ended it
	// Tokens are the tokens of Text with their log probabilities before sampling, if these were
	// requested.
	Tokens []verbatim.Token
}

// Answer answers a prompt with at most maxTokens tokens. If maxTokens is not positive, the limit is
// the room in the Context. The error is a *TooLong, ErrImage or that of ctx, which is checked
// before each token.
func (n *Network) Answer(ctx context.Context, p verbatim.Prompt, maxTokens int, s Sampling) (Answer, error) {
	if holdsImage(p) {
		return Answer{}, ErrImage
	}
	prompt := n.sequence(p)
	if prompt.count >= Context {
		return Answer{}, &TooLong{prompt.count}
	}
	limit := Context - prompt.count
	if maxTokens > 0 {
		limit = min(limit, maxTokens)
	}
	st := n.newState()
	defer n.release(st)
	for i, t := range prompt.tokens {
		if err := ctx.Err(); err != nil {
			return Answer{}, err
		}
		n.read(st, t, prompt.places[i], i == len(prompt.tokens)-1)
	}
	c := newChooser(s)
	written, ended, err := n.write(ctx, st, c, limit)
	if err != nil {
		return Answer{}, err
	}
	a := Answer{Prompt: prompt.count, Completion: len(written), Cut: !ended, Tokens: c.described[:min(len(written), len(c.described))]}
	var b []byte
	for _, t := range written {
		b = t.appendTo(b)
	}
	a.Text = string(b)
	return a, nil
}

// write returns the tokens that follow those that st has read, at most limit of them. ended says that
// the answer ended by itself. It is false for an answer with as many tokens as the limit: as with
// servers of other models, such an answer may be incomplete.
func (n *Network) write(ctx context.Context, st *state, c *chooser, limit int) (written []token, ended bool, err error) {
	var at counter
	var text []byte
	see := verbatim.Partial(ctx)
	for {
		t := c.choose(st.logits)
		if t == endToken {
			return written, true, nil
		}
		if see != nil {
			text = t.appendTo(text)
			see(text, nil)
		}
		if written = append(written, t); len(written) == limit {
			return written, false, nil
		}
		if err := ctx.Err(); err != nil {
			return nil, false, err
		}
		n.read(st, t, at.next(t), true)
	}
}

// Count returns the number of tokens of a prompt, without its images.
func (n *Network) Count(p verbatim.Prompt) int { return n.sequence(p).count }

func holdsImage(p verbatim.Prompt) bool {
	return slices.ContainsFunc(p, func(m verbatim.Message) bool {
		return slices.ContainsFunc(m.Content, func(part verbatim.Part) bool { return part.Image != nil })
	})
}
