package task

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"verbatim"
)

// mostImage bounds the size of an image file, in bytes. The providers take less.
const mostImage = 32 << 20

// An imageFolder reads the images that a file of items names, each once: a thousand items about one
// picture share it.
type imageFolder struct {
	dir  string
	read map[string]*verbatim.Image // by the path in the items
}

// image returns the image of a path relative to the folder. When it reads the image, it writes its
// hash to sum.
func (f imageFolder) image(path string, sum io.Writer) (*verbatim.Image, error) {
	if img := f.read[path]; img != nil {
		return img, nil
	}
	// The image is sent to a server: a file of items from elsewhere must not reach other folders of
	// the user, by ".." or by links.
	root, err := os.OpenRoot(cmp.Or(f.dir, "."))
	if err != nil {
		return nil, err
	}
	defer root.Close()
	name := filepath.FromSlash(path)
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, fmt.Errorf("image %s, in the folder of the items or below it: %w", path, cause(err))
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is not a file", path)
	case info.Size() > mostImage:
		return nil, fmt.Errorf("%s is larger than %d MiB", path, mostImage>>20)
	}
	data, err := root.ReadFile(name)
	if err != nil {
		return nil, err
	}
	media := mediaType(data)
	if media == "" {
		return nil, fmt.Errorf("%s is not a PNG, JPEG or WebP image", path)
	}
	digest := sha256.Sum256(data)
	sum.Write(digest[:])
	img := &verbatim.Image{Path: path, Media: media, Bytes: data}
	f.read[path] = img
	return img, nil
}

// checkInline checks an image of a data URI, and sets its media type to that of the bytes.
func checkInline(img *verbatim.Image) error {
	if len(img.Bytes) > mostImage {
		return fmt.Errorf("an image is larger than %d MiB", mostImage>>20)
	}
	if img.Media = mediaType(img.Bytes); img.Media == "" {
		return errors.New("the image of a data URI is not a PNG, JPEG or WebP image")
	}
	return nil
}

// cause returns the reason of an error of package os, without the path.
func cause(err error) error {
	if path, ok := errors.AsType[*os.PathError](err); ok {
		return path.Err
	}
	return err
}

// mediaType returns the media type of an image by its first bytes; "" for types that models do not
// take.
func mediaType(data []byte) string {
	switch {
	case bytes.HasPrefix(data, []byte("\x89PNG\r\n\x1a\n")):
		return "image/png"
	case bytes.HasPrefix(data, []byte("\xff\xd8\xff")):
		return "image/jpeg"
	case len(data) > 12 && string(data[:4]) == "RIFF" && string(data[8:12]) == "WEBP":
		return "image/webp"
	}
	return ""
}
