package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"verbatim/internal/store/sqlite"
)

// A Blob is a row of the table blob: the bytes of an image. Images with the same hash share it.
type blob struct {
	Sha256 [sha256.Size]byte
	bytes  []byte
}

// newBlob returns the Blob of an image.
func newBlob(b []byte) blob { return blob{sha256.Sum256(b), b} }

// insertBlobs saves the blobs that are not in the database yet.
func insertBlobs(c *sqlite.Conn, blobs []blob) error {
	for _, b := range blobs {
		if _, _, err := c.Exec(`INSERT INTO blob (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING`, b.Sha256[:], b.bytes); err != nil {
			return err
		}
	}
	return nil
}

// imagesOf returns a function that reads images for decodePrompt.
func imagesOf(c *sqlite.Conn) func(hash string) ([]byte, error) {
	return func(hash string) ([]byte, error) {
		_, image, err := readImage(c, hash)
		return image, err
	}
}

// readImage returns the row number and the bytes of the image with a SHA-256, given in hex.
func readImage(c *sqlite.Conn, hash string) (id int64, image []byte, err error) {
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
