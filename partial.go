package verbatim

import "context"

// partialKey is the context key of WithPartial.
type partialKey struct{}

// WithPartial returns a context for Model.Ask. A model whose reply comes in pieces calls see with the
// text and the reasoning so far, before Ask returns and from one goroutine at a time. Each is the
// beginning of the later ones. A model may also never call it. see must neither keep nor change the
// bytes.
func WithPartial(ctx context.Context, see func(text, reasoning []byte)) context.Context {
	return context.WithValue(ctx, partialKey{}, see)
}

// Partial returns the function of WithPartial, nil without one.
func Partial(ctx context.Context) func(text, reasoning []byte) {
	see, _ := ctx.Value(partialKey{}).(func(text, reasoning []byte))
	return see
}
