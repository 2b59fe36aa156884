// Package httpconn carries HTTP requests to model servers.
//
// NewTransport returns a transport of net/http with the settings that requests to models
// need. NewDirect wraps it: requests over plain HTTP, to servers nearby, take half the
// processor time that net/http takes.
//
// Start reading at Direct.
package httpconn
