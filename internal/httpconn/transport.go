package httpconn

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"time"
)

// NewTransport returns a transport for requests to models. It keeps connections for as
// many workers as one machine can use. It requests no compression, which would delay the
// first text of a stream. It has no time limit for the header of a response, because a busy
// server sends it only when a slot is free. Proxies come from the environment.
func NewTransport() *http.Transport {
	return &http.Transport{
		Proxy:                  http.ProxyFromEnvironment,
		DialContext:            (&net.Dialer{Timeout: 15 * time.Second, KeepAlive: 30 * time.Second}).DialContext,
		ForceAttemptHTTP2:      true,
		MaxIdleConnsPerHost:    idleConnections,
		IdleConnTimeout:        90 * time.Second,
		TLSHandshakeTimeout:    15 * time.Second,
		ExpectContinueTimeout:  time.Second,
		DisableCompression:     true,
		MaxResponseHeaderBytes: maxHeader,
		OnProxyConnectResponse: func(_ context.Context, proxy *url.URL, _ *http.Request, res *http.Response) error {
			if res.StatusCode != http.StatusOK { // net/http would return the words of the status alone
				return &net.OpError{Op: "proxyconnect", Net: "tcp", Err: fmt.Errorf("%s answers %s", proxy.Host, res.Status)}
			}
			return nil
		},
	}
}

// idleConnections is how many idle connections to one server are kept.
const idleConnections = 4096
