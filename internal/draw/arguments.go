package draw

import (
	"fmt"
	"math/rand/v2"
)

// Arguments draws an object that is to be copied as the arguments of a tool. All have the same
// schema. Each has what parsers of tool calls break: nested values, escapes, accents, and
// characters of four bytes. Its form is the usual one, which programs that read and write JSON
// leave as it is. It has two of the words that word draws.
func Arguments(r *rand.Rand, code string, word func(*rand.Rand) string) string {
	return fmt.Sprintf(`{"code":"%s","path":"C:\\%s\\new","quote":"a \"%s\" b","text":"café 東京 🙂","nested":{"count":%d,"share":%d.%d,"flags":[true,false]}}`,
		code, word(r), word(r), r.IntN(1000), r.IntN(10), 1+r.IntN(9))
}
