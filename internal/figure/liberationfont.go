package figure

import (
	_ "embed"

	"github.com/klauspost/compress/zstd"
)

//go:embed regular.zst
var liberationRegular []byte

//go:embed bold.zst
var liberationBold []byte

// Regular unpacks the file of Liberation Sans.
func Regular() []byte { return unpack(liberationRegular) }

// Bold unpacks the file of Liberation Sans Bold.
func Bold() []byte { return unpack(liberationBold) }

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
