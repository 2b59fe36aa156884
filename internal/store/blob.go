package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"verbatim/internal/store/sqlite"
)

// A Blob is a row of the table blob: the bytes of an image. Images with the same hash share it.
type Blob struct {
	Sha256 [sha256.Size]byte
	bytes  []byte
}

// NewBlob returns the Blob of an image.
func NewBlob(b []byte) Blob { return Blob{sha256.Sum256(b), b} }

// InsertBlobs saves the blobs that are not in the database yet.
func InsertBlobs(c *sqlite.Conn, blobs []Blob) error {
	for _, b := range blobs {
		if _, _, err := c.Exec(`INSERT INTO blob (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING`, b.Sha256[:], b.bytes); err != nil {
			return err
		}
	}
	return nil
}

// ImagesOf returns a function that reads images for DecodePrompt.
func ImagesOf(c *sqlite.Conn) func(hash string) ([]byte, error) {
	return func(hash string) ([]byte, error) {
		_, image, err := ReadImage(c, hash)
		return image, err
	}
}

// ReadImage returns the row number and the bytes of the image with a SHA-256, given in hex.
func ReadImage(c *sqlite.Conn, hash string) (id int64, image []byte, err error) {
	sum, err := hex.DecodeString(hash)
	if err != nil {
		return 0, nil, fmt.Errorf("%q is no hash of an image", hash)
	}
	found, err := c.QueryOne(context.Background(), func(r *sqlite.Rows) { id, image = r.Int(), r.Bytes() }, `SELECT id, bytes FROM blob WHERE sha256 = ?`, sum)
	if err == nil && !found {
		err = c.CorruptError("an image is missing")
	}
	return id, image, err
}
