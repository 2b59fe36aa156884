// Command wordlist makes the embedded word list from WordNet's index files
// (Debian's package wordnet-base puts them in /usr/share/wordnet): the lemmas of
// the four parts of speech, each once, in byte order, one a line, compressed
// with zstd.
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

// lemmas is how many WordNet 3.0 has; another number is another WordNet, and
// other words would be other items.
const lemmas = 147306

func main() {
	log.SetFlags(0)
	dict := flag.String("dict", "/usr/share/wordnet", "the folder of index.noun, index.verb, index.adj and index.adv")
	out := flag.String("o", "words.zst", "the file to write")
	flag.Parse()
	words, err := read(*dict)
	if err != nil {
		log.Fatal(err)
	}
	if len(words) != lemmas {
		log.Fatalf("%d lemmas were found, WordNet 3.0 has %d", len(words), lemmas)
	}
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		log.Fatal(err)
	}
	packed := enc.EncodeAll([]byte(strings.Join(words, "\n")+"\n"), nil)
	if err := os.WriteFile(*out, packed, 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d lemmas, %d bytes\n", len(words), len(packed))
}

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
			// The licence stands at the top, in lines that begin with spaces.
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
