package verbatim

import "encoding/json"

// A Structure is the form in which an answer is asked for, where that is not free text.
type Structure struct {
	As     StructureKind
	Schema json.RawMessage // JSON Schema of the answer, which is an object
}

// A StructureKind is a way to ask for JSON.
type StructureKind string

// The ways.
const (
	AsTool   StructureKind = "tool"   // as the arguments of a tool that the model must call
	AsSchema StructureKind = "schema" // as a reply that the server holds to a JSON Schema
)
