package verbatim

import (
	"encoding/base64"
	"errors"
	"strings"
)

// dataPrefix begins the URI of an image that is in the text itself.
const dataPrefix = "data:image/"

// reference is an image's path, or its bytes as a data URI.
func (m *Image) reference() string {
	if m.Path != "" || len(m.Bytes) == 0 {
		return m.Path
	}
	return "data:" + m.Media + ";base64," + base64.StdEncoding.EncodeToString(m.Bytes)
}

// referredImage returns the image of a reference. That of a path has no bytes yet.
func referredImage(reference string) (*Image, error) {
	if !strings.HasPrefix(reference, dataPrefix) {
		return &Image{Path: reference}, nil
	}
	media, data, ok := strings.Cut(reference[len("data:"):], ";base64,")
	bytes, err := base64.StdEncoding.DecodeString(data)
	if !ok || err != nil || len(bytes) == 0 {
		return nil, errors.New("the image is no data URI in base64")
	}
	return &Image{Media: media, Bytes: bytes}, nil
}
