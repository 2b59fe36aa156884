// Package rawjson reads and writes JSON without changing a byte of its texts.
//
// encoding/json replaces what is not Unicode by U+FFFD: bytes that are not UTF-8, and
// escapes of half a surrogate pair. What a model replied is saved and graded exactly as
// it came, so such texts pass through here. Half a surrogate pair becomes the three
// bytes of its generalised form (WTF-8). It is also several times faster, which counts
// where a reply comes in hundreds of events.
//
// Reading has two steps. Check, or Valid, looks once at the whole text. Then Members,
// Elements and Member walk it and hand out values as they are written. Nothing is
// decoded but what the caller passes to Text.
//
// AppendString and AppendASCII write strings.
package rawjson
