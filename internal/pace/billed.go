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

// mayBeBilled reports whether an attempt without an answer may be billed: the request was sent and
// not clearly refused. A status of 300 and above is a refusal, except that of a gateway that waited
// too long for the server behind it. A lower status is that of an answer that had begun. Without a
// status, the server may have worked at a request that ran out of time or whose connection broke,
// but not if the connection never opened.
func mayBeBilled(err error) bool {
	f, ok := errors.AsType[*verbatim.Failure](err)
	if !ok {
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
	return false // a class and no status: refused before it was sent, or in the body
}

// timeoutCloudflare is the status of Cloudflare for what is status 504 elsewhere.
const timeoutCloudflare = 524

// neverOpened reports whether there was no connection on which the request could be sent.
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
	// Package wire may replace an error by a text without addresses and keys.
	for _, words := range []string{"connection refused", "no such host", "certificate is not accepted"} {
		if strings.Contains(err.Error(), words) {
			return true
		}
	}
	return false
}
