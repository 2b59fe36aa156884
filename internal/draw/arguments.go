package draw

import (
	"fmt"
	"math/rand/v2"
)

// Arguments draws a JSON object that is to be copied as the arguments of a tool. All have the same
// schema. Each has values that parsers of tool calls break: nested ones, escapes, accents and
// characters of four bytes. Programs that read and write JSON do not change its form. It has the code
// and two words of word.
func Arguments(r *rand.Rand, code string, word func(*rand.Rand) string) string {
	return fmt.Sprintf(`{"code":"%s","path":"C:\\%s\\new","quote":"a \"%s\" b","text":"café 東京 🙂","nested":{"count":%d,"share":%d.%d,"flags":[true,false]}}`,
		code, word(r), word(r), r.IntN(1000), r.IntN(10), 1+r.IntN(9))
}
