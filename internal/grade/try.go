package grade

import (
	"fmt"

	"verbatim"
)

// Try grades as Of does. Where the grader panics, Try returns an error: a reply that a grader
// cannot read must not end a command that has other replies to grade.
func Try(item *verbatim.Item, text string, finish verbatim.Finish) (verbatim.Grade, error) {
	return new(Memory).Try(item, text, finish)
}

// Try is the function Try with the buffers of m. It clears them after a panic.
func (m *Memory) Try(item *verbatim.Item, text string, finish verbatim.Finish) (g verbatim.Grade, err error) {
	defer func() {
		if p := recover(); p != nil {
			*m = Memory{}
			err = fmt.Errorf("the grader fails on this reply (%v): this is a defect of verbatim, please report it with the reply", p)
		}
	}()
	return m.Of(item, text, finish), nil
}
