package wire

// An unreadableError is the error of a reply that is not as the protocol defines it.
type unreadableError struct{ what string }

func (u unreadableError) Error() string { return u.what }

// A cutError is the error of a reply that ended properly for the network, but without its
// end marker or finish reason.
type cutError struct{ what string }

func (c cutError) Error() string { return c.what }

func (c cutError) hint(bytes int64) string {
	if bytes == 0 {
		return "the server sent nothing at all; some do so when a prompt is too long for them"
	}
	return "the server, or something between, broke the reply off; repeat the request"
}
