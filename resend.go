package verbatim

import "context"

// resendKey is the key of what WithResend adds to a context.
type resendKey struct{}

// WithResend returns a context for Model.Ask. The model calls allow before it resends a
// request on another connection because the first was closed without a reply. The server
// may have read the first, so both may be billed. If allow returns false, the model returns
// the failure of the first.
func WithResend(ctx context.Context, allow func() bool) context.Context {
	return context.WithValue(ctx, resendKey{}, allow)
}

// MayResend reports whether a request may be sent again; true where no caller objects.
func MayResend(ctx context.Context) bool {
	allow, ok := ctx.Value(resendKey{}).(func() bool)
	return !ok || allow()
}
