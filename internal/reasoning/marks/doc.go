// Package marks counts what stands out in a text of reasoning: second thoughts, repeated
// lines, and switches between languages. Long reasoning of this kind goes together with lost
// items and broken lists (Herbold 2025, sections 3.3 and 3.5).
//
// The counts describe a text. They do not say whether its reasoning is right. Start reading
// at Measure.
package marks
