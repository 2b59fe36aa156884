// Package verbatim defines the types that all other packages share: items, answers,
// requests, replies, grades and records. It imports only the standard library.
//
// The data flow: a Family draws Items. A Source makes Requests of them. A Model answers a
// Request with a Reply, or fails with a Failure. A grader gives the Reply a Grade. A Record
// holds all of these and is saved. Start reading at Item and Record.
package verbatim
