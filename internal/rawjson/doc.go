// Package rawjson reads and writes JSON without changing a byte of its texts.
//
// encoding/json replaces bytes that are not UTF-8, and escapes of half a surrogate pair, by U+FFFD.
// Replies of models are saved and graded exactly as they came, so this package keeps such bytes.
// Half a surrogate pair becomes the three bytes of its generalised form (WTF-8). The package is
// also several times as fast as encoding/json, which matters for a reply of hundreds of events.
//
// Reading has two steps. Check, or Valid, checks the whole text. Then Members, Elements and Member
// return values in their written form. Only Text decodes.
//
// AppendString and AppendASCII write strings.
package rawjson
