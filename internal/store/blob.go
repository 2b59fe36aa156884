package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
)

// A blob is the bytes of an image. They are saved once, by their hash.
type blob struct {
	sha256 [sha256.Size]byte
	bytes  []byte
}

func newBlob(b []byte) blob { return blob{sha256.Sum256(b), b} }

// insertBlobs keeps the blobs that are not saved yet.
func insertBlobs(c *conn, blobs []blob) error {
	for _, b := range blobs {
		if _, _, err := c.exec(`INSERT INTO blob (sha256, bytes) VALUES (?, ?) ON CONFLICT DO NOTHING`, b.sha256[:], b.bytes); err != nil {
			return err
		}
	}
	return nil
}

// image returns the bytes with a hash, given in hex.
func (c *conn) image(hash string) ([]byte, error) {
	sum, err := hex.DecodeString(hash)
	if err != nil {
		return nil, fmt.Errorf("%q is no hash of an image", hash)
	}
	var b []byte
	found, err := c.one(context.Background(), func(r *rows) { b = r.bytes() }, `SELECT bytes FROM blob WHERE sha256 = ?`, sum)
	if err == nil && !found {
		err = &Error{Kind: Corrupt, Path: c.path, What: "the database is damaged: an image is missing",
			Hint: verifyHint}
	}
	return b, err
}
