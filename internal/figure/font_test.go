package figure

import (
	"bytes"

	"os"
	"testing"

	"codeberg.org/go-fonts/liberation/liberationsansbold"
	"codeberg.org/go-fonts/liberation/liberationsansregular"
	"github.com/klauspost/compress/zstd"
)

// TestFonts wants the files of the module, byte for byte.
func TestFonts(t *testing.T) {
	for _, font := range []struct {
		packed string
		have   func() []byte
		want   []byte
	}{
		{"regular.zst", Regular, liberationsansregular.TTF},
		{"bold.zst", Bold, liberationsansbold.TTF},
	} {
		if *update {
			if err := os.WriteFile(font.packed, pack(t, font.want), 0o644); err != nil {
				t.Fatal(err)
			}
			continue // it is embedded when the test is built again
		}
		if !bytes.Equal(font.have(), font.want) {
			t.Errorf("%s is not the font of the module: run this test with -update", font.packed)
		}
	}
}

// pack compresses a font. The same file gives the same bytes.
func pack(t *testing.T, file []byte) []byte {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		t.Fatal(err)
	}
	defer enc.Close()
	return enc.EncodeAll(file, nil)
}
