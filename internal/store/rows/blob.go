package rows

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"verbatim/internal/store/sqlite"
)

// A Blob is the bytes of an image. They are saved once, by their hash.
type Blob struct {
	Sha256 [sha256.Size]byte
	bytes  []byte
}

// NewBlob returns the row of the bytes of an image.
func NewBlob(b []byte) Blob { return Blob{sha256.Sum256(b), b} }

// InsertBlobs keeps the blobs that are not saved yet.
func InsertBlobs(c *sqlite.Conn, blobs []Blob) error {
	for _, b := range blobs {
		if _, _, err := c.Exec(`INSERT INTO blob (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING`, b.Sha256[:], b.bytes); err != nil {
			return err
		}
	}
	return nil
}

// ImagesOf returns ReadImage for a conn.
func ImagesOf(c *sqlite.Conn) func(hash string) ([]byte, error) {
	return func(hash string) ([]byte, error) { return ReadImage(c, hash) }
}

// ReadImage returns the bytes with a hash, given in hex.
func ReadImage(c *sqlite.Conn, hash string) ([]byte, error) {
	sum, err := hex.DecodeString(hash)
	if err != nil {
		return nil, fmt.Errorf("%q is no hash of an image", hash)
	}
	var b []byte
	found, err := c.QueryOne(context.Background(), func(r *sqlite.Rows) { b = r.Bytes() }, `SELECT bytes FROM blob WHERE sha256 = ?`, sum)
	if err == nil && !found {
		err = c.CorruptError("an image is missing")
	}
	return b, err
}
