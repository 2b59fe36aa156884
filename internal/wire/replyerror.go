package wire

// An unreadableError is the error of a reply that is not as the protocol defines it.
type unreadableError struct{ what string }

func (u unreadableError) Error() string { return u.what }

// cannotRead returns the unreadableError that what says, with the beginning of what came.
func cannotRead(what string, raw []byte, key Key) unreadableError {
	// The key is removed before the text is shortened: a part of it would not be found.
	raw = raw[:min(len(raw), 4<<10)]
	return unreadableError{what + ": " + CleanLine(key.Hide(string(raw)), 80)}
}

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
