// Package eventstream reads server-sent events, the form in which most model servers
// stream a reply.
package eventstream
