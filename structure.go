package verbatim

import "encoding/json"

// A Structure is a form other than free text in which an answer is requested.
type Structure struct {
	As     StructureKind
	Schema json.RawMessage // JSON Schema of the answer, which is an object
}

// A StructureKind is a form in which JSON is requested.
type StructureKind string

// The forms.
const (
	AsTool   StructureKind = "tool"   // the arguments of a tool that the model must call
	AsSchema StructureKind = "schema" // a reply that the server constrains by a JSON Schema
)
