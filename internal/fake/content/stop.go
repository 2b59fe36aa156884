package content

import "encoding/json"

// Stop is the stop sequences of a request: a list, or a text alone.
type Stop []string

// UnmarshalJSON implements json.Unmarshaler.
func (s *Stop) UnmarshalJSON(b []byte) error {
	var one string
	if json.Unmarshal(b, &one) == nil {
		*s = Stop{one}
		return nil
	}
	return json.Unmarshal(b, (*[]string)(s))
}
