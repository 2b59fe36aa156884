// Command wordlist makes the embedded word list from WordNet's index files, which Debian's package
// wordnet-base has in /usr/share/wordnet. The list has the lemmas of the four parts of speech, each
// once, in byte order, one on each line, compressed with zstd. The same files give the same bytes.
//
// Run it with "go generate ./internal/draw". It accepts only WordNet 3.0: other words would change
// the items.
package main

import (
	"bufio"
	"flag"
	"fmt"
	"log"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/klauspost/compress/zstd"
)

func main() {
	log.SetFlags(0)
	dict := flag.String("dict", "/usr/share/wordnet", "the folder of index.noun, index.verb, index.adj and index.adv")
	out := flag.String("o", "words.zst", "the file to write")
	flag.Parse()
	words, err := read(*dict)
	if err != nil {
		log.Fatal(err)
	}
	if err := isWordNet30(words); err != nil {
		log.Fatal(err)
	}
	packed, err := pack(words)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, packed, 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d lemmas, %d bytes\n", len(words), len(packed))
}

// read returns the lemmas of the index files in dict, each once, in byte order.
func read(dict string) ([]string, error) {
	seen := map[string]bool{}
	for _, part := range []string{"noun", "verb", "adj", "adv"} {
		f, err := os.Open(filepath.Join(dict, "index."+part))
		if err != nil {
			return nil, err
		}
		defer f.Close()
		lines := bufio.NewScanner(f)
		for lines.Scan() {
			// Lines that begin with a space are the licence.
			if lemma, _, ok := strings.Cut(lines.Text(), " "); ok && lemma != "" {
				seen[lemma] = true
			}
		}
		if err := lines.Err(); err != nil {
			return nil, err
		}
	}
	return slices.Sorted(maps.Keys(seen)), nil
}

// isWordNet30 returns an error unless the numbers of lemmas are those of WordNet 3.0: of all, and of
// those that each edition draws from.
func isWordNet30(words []string) error {
	plain, letters := 0, 0
	for _, w := range words {
		if !strings.Contains(w, "'") {
			plain++
		}
		if strings.Trim(w, "abcdefghijklmnopqrstuvwxyz") == "" {
			letters++
		}
	}
	if len(words) != 147_306 || plain != 146_015 || letters != 77_503 {
		return fmt.Errorf("%d lemmas, %d without an apostrophe, %d of letters only: WordNet 3.0 has 147306, 146015 and 77503",
			len(words), plain, letters)
	}
	return nil
}

// pack compresses the words. It uses one goroutine, so that the bytes do not depend on the number of
// processors.
func pack(words []string) ([]byte, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer enc.Close()
	return enc.EncodeAll([]byte(strings.Join(words, "\n")+"\n"), nil), nil
}
