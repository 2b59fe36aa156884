// Package tasklist lists the task families and the suites, and shows a family with an example.
// It is the result of the commands tasks and suites, as text and for JSON.
package tasklist
