// Command namelist makes the embedded list of names: of countries and of languages, in several
// languages, as CLDR 32 has them in golang.org/x/text. A line has the name of a language in English, a
// tab, and its words in the order of their code points, with a space between two. Taken are names of
// one word, of letters only, without upper-case letters behind the first, that are in NFC. The list is
// compressed with zstd.
//
// Run it with "go generate ./internal/draw". Other words would change the items.
package main

import (
	"flag"
	"fmt"
	"log"
	"os"
	"slices"
	"strings"
	"unicode"

	"github.com/klauspost/compress/zstd"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"
	"golang.org/x/text/unicode/norm"
)

// languages are those of which CLDR has many names of one word, in several scripts.
var languages = strings.Fields("af ar az bg ca cs da de el es et fa fi fr he hi hr hu hy id is it ja ka ko lt lv mk ms nl nb pl pt ro ru sk sl sq sr sv sw ta tr uk zh")

func main() {
	log.SetFlags(0)
	out := flag.String("o", "names.zst", "the file to write")
	flag.Parse()
	text, err := list()
	if err != nil {
		log.Fatal(err)
	}
	packed, err := pack(text)
	if err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(*out, packed, 0o644); err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d languages, %d bytes, packed %d\n", strings.Count(text, "\n"), len(text), len(packed))
}

// list returns the lines.
func list() (string, error) {
	english := display.English.Languages()
	var b strings.Builder
	for _, code := range languages {
		tag := language.MustParse(code)
		regions, names := display.Regions(tag), display.Languages(tag)
		if regions == nil || names == nil {
			return "", fmt.Errorf("there are no names in %s", code)
		}
		seen := map[string]bool{}
		for a := 'A'; a <= 'Z'; a++ {
			for b := 'A'; b <= 'Z'; b++ {
				if r, err := language.ParseRegion(string(a) + string(b)); err == nil && r.IsCountry() {
					seen[regions.Name(r)] = true
				}
			}
		}
		for _, t := range display.Supported.Tags() {
			if base, _ := t.Base(); base.String() == t.String() {
				seen[names.Name(t)] = true
			}
		}
		var words []string
		for w := range seen {
			if isWord(w) {
				words = append(words, w)
			}
		}
		slices.Sort(words)
		fmt.Fprintf(&b, "%s\t%s\n", english.Name(tag), strings.Join(words, " "))
	}
	return b.String(), nil
}

// isWord reports whether a name is taken.
func isWord(name string) bool {
	for i, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) || i > 0 && unicode.IsUpper(r) {
			return false
		}
	}
	return name != "" && norm.NFC.IsNormalString(name)
}

// pack compresses a text with one goroutine, so that the bytes do not depend on the number of
// processors.
func pack(text string) ([]byte, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer enc.Close()
	return enc.EncodeAll([]byte(text), nil), nil
}
