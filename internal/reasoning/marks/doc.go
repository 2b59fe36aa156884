// Package marks counts three things in a text of reasoning: second thoughts, repeated
// lines, and switches between languages. Replies with long reasoning of this kind more often have lost
// items and broken lists (Herbold 2025, sections 3.3 and 3.5).
//
// The counts describe a text. They do not say whether its reasoning is right. Start
// at Measure.
package marks
