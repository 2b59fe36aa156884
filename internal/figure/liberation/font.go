// Package liberation holds the fonts of figures: the files of Liberation Sans, compressed. They are
// the files of the module codeberg.org/go-fonts/liberation, at half the size.
package liberation

import (
	_ "embed"

	"github.com/klauspost/compress/zstd"
)

//go:embed regular.zst
var regular []byte

//go:embed bold.zst
var bold []byte

// Regular unpacks the file of Liberation Sans.
func Regular() []byte { return unpack(regular) }

// Bold unpacks the file of Liberation Sans Bold.
func Bold() []byte { return unpack(bold) }

func unpack(packed []byte) []byte {
	d, err := zstd.NewReader(nil, zstd.WithDecoderConcurrency(1))
	if err != nil {
		panic("a font that is part of the program: " + err.Error())
	}
	defer d.Close()
	file, err := d.DecodeAll(packed, nil)
	if err != nil {
		panic("a font that is part of the program: " + err.Error())
	}
	return file
}
