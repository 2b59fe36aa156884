package wire

import "verbatim/internal/wire/sizelimit"

// reserve reserves memory for n bytes that the reply takes now.
func (c *call) reserve(n int64) error {
	if c.reserved.Has(n) {
		return nil
	}
	if c.idle != nil {
		c.idle.Stop() // the server is not silent: it waits
		defer c.touch()
	}
	return c.reserved.Grow(c.ctx, n)
}

// checkDocument checks the size of a document or an event that is being received.
func (c *call) checkDocument(n int) error {
	if most := c.size.Document(); int64(n) > most {
		return sizelimit.TooLarge{MaxBytes: most, Limit: c.size}
	}
	return c.reserve(3*int64(n) + c.textBytes)
}

// checkText checks the size of the text and of all the reasoning so far, and reserves memory
// for them and for log probabilities of so many bytes.
func (c *call) checkText(content, thought, logprobs int) error {
	if int64(content) > c.size.Text || int64(thought) > reasoningPlaces*c.size.Text {
		return sizelimit.TooLarge{MaxBytes: c.size.Text, Limit: c.size}
	}
	c.textBytes = 2*int64(content+thought) + int64(logprobs)
	return c.reserve(c.textBytes)
}
