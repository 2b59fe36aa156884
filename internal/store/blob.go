package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"verbatim/internal/store/sqlite"
)

// A blob is the bytes of an image. They are saved once, by their hash.
type blob struct {
	sha256 [sha256.Size]byte
	bytes  []byte
}

func newBlob(b []byte) blob { return blob{sha256.Sum256(b), b} }

// insertBlobs keeps the blobs that are not saved yet.
func insertBlobs(c *sqlite.Conn, blobs []blob) error {
	for _, b := range blobs {
		if _, _, err := c.Exec(`INSERT INTO blob (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING`, b.sha256[:], b.bytes); err != nil {
			return err
		}
	}
	return nil
}

// imagesOf returns readImage for a conn.
func imagesOf(c *sqlite.Conn) func(hash string) ([]byte, error) {
	return func(hash string) ([]byte, error) { return readImage(c, hash) }
}

// readImage returns the bytes with a hash, given in hex.
func readImage(c *sqlite.Conn, hash string) ([]byte, error) {
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
