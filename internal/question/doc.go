// Package question makes items from what a task family draws. Start at Item. Foresee
// adds the answers of expected mistakes to it. Length draws the length of an item, and Misuse and TooMany return
// the errors of requests that cannot be met.
package question
