package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"
)

// TestEmbedded makes the word list again and wants the embedded one.
func TestEmbedded(t *testing.T) {
	const dict = "/usr/share/wordnet"
	if _, err := os.Stat(dict); err != nil {
		t.Skip("WordNet is not installed (Debian: wordnet-base): ", err)
	}
	words, err := read(dict)
	if err != nil {
		t.Fatal(err)
	}
	if err := isWordNet30(words); err != nil {
		t.Fatal(err)
	}
	packed, err := os.ReadFile(filepath.Join("..", "..", "draw", "words.zst"))
	if err != nil {
		t.Fatal(err)
	}
	if len(packed) > 700_000 {
		t.Errorf("words.zst has %d bytes", len(packed))
	}
	if unpack(t, packed) != strings.Join(words, "\n")+"\n" {
		t.Errorf("words.zst does not hold the lemmas of %s: run go generate", dict)
	}
}

// TestPack wants the same bytes from the same words, and the words from the bytes.
// The bytes of words.zst are not compared: another version of the compressor may
// give others.
func TestPack(t *testing.T) {
	var words []string
	for i := range 1000 {
		words = append(words, "word_"+strconv.Itoa(i))
	}
	a, err := pack(words)
	if err != nil {
		t.Fatal(err)
	}
	if b, err := pack(words); err != nil || !bytes.Equal(a, b) {
		t.Errorf("two packs differ, or %v", err)
	}
	if unpack(t, a) != strings.Join(words, "\n")+"\n" {
		t.Error("the words have changed on the way")
	}
}

func unpack(t *testing.T, packed []byte) string {
	t.Helper()
	d, err := zstd.NewReader(nil)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	text, err := d.DecodeAll(packed, nil)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestRead reads a WordNet of three words, which is not version 3.0.
func TestRead(t *testing.T) {
	dir := t.TempDir()
	for part, text := range map[string]string{
		"noun": "  1 A licence.\nzoo n 1 0 1 0 00000001\nat_home n 1 0 1 0 00000002\n",
		"verb": "zoo v 1 0 1 0 00000001\n", "adj": "  1 A licence.\n", "adv": "'tween r 1 0 1 0 00250898\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, "index."+part), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	words, err := read(dir)
	if err != nil || len(words) != 3 || words[0] != "'tween" || words[1] != "at_home" || words[2] != "zoo" {
		t.Errorf("read %q, %v", words, err)
	}
	if isWordNet30(words) == nil {
		t.Error("three words pass for WordNet 3.0")
	}
	if err := os.Remove(filepath.Join(dir, "index.adv")); err != nil {
		t.Fatal(err)
	}
	if _, err := read(dir); err == nil {
		t.Error("a part of WordNet may be missing")
	}
}
