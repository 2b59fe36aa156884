package verbatim

import "context"

// resendKey is the context key of WithResend.
type resendKey struct{}

// WithResend returns a context for Model.Ask. If a connection is closed without a reply, the model
// calls allow before it sends the request again on another connection. Both may be billed, because
// the server may have read the first. If allow returns false, the model returns the failure.
func WithResend(ctx context.Context, allow func() bool) context.Context {
	return context.WithValue(ctx, resendKey{}, allow)
}

// MayResend reports whether a request may be sent again: the result of allow of WithResend, or true
// without it.
func MayResend(ctx context.Context) bool {
	allow, ok := ctx.Value(resendKey{}).(func() bool)
	return !ok || allow()
}
