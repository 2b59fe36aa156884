package pace

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strings"
	"syscall"

	"verbatim"
)

// mayBeBilled reports whether a try without an answer may be on the bill: the
// request went out and no clear refusal came back. A status of 300 and above is
// a refusal, whatever it says, unless a gateway says that the server behind it was at
// work for too long; one below is an answer that had begun. Without a
// status it depends on the class: a try that ran out of time, or whose connection
// broke, may have been worked on; a connection that never opened was not.
func mayBeBilled(err error) bool {
	var f *verbatim.Failure
	if !errors.As(err, &f) {
		return true
	}
	status := f.Status
	if n := len(f.Attempts); n > 0 {
		status = max(status, f.Attempts[n-1].Status)
		if f.Attempts[n-1].Partial != "" {
			return true
		}
	}
	switch {
	case status == http.StatusGatewayTimeout || status == timeoutCloudflare:
		return true
	case status >= 300:
		return false
	case status != 0:
		return true
	}
	switch f.Class {
	case verbatim.Transport:
		return !neverOpened(f.Err)
	case verbatim.Cut, verbatim.Content, verbatim.Deadline:
		return true
	}
	return false // refused in words: nothing else has a class and no status
}

// timeoutCloudflare is what Cloudflare says where others say 504.
const timeoutCloudflare = 524

// neverOpened reports whether an error says that there was no connection to send
// a request on.
func neverOpened(err error) bool {
	if err == nil {
		return false
	}
	var op *net.OpError
	var dns *net.DNSError
	var certificate *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.Is(err, syscall.ECONNREFUSED), errors.As(err, &dns), errors.As(err, &certificate), errors.As(err, &authority):
		return true
	case errors.As(err, &op):
		return op.Op == "dial"
	}
	// Package wire keeps only the words of an error, so that no address or key is
	// in them.
	for _, words := range []string{"connection refused", "no such host", "certificate is not accepted"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}
