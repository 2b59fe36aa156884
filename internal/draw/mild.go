package draw

import (
	"slices"
	"strings"
	"sync"
)

// MildWords returns LetterWords without slurs and swear words. Filters of providers refuse texts with
// them, which would look like a fault of the model. Each is replaced by a phrase of Words, written as
// one word that LetterWords does not have. So all words are different and the others keep their
// indexes.
func MildWords() *wordList { return mild() }

var mild = sync.OnceValue(withoutHarsh)

func withoutHarsh() *wordList {
	letters := LetterWords()
	starts, phrases, end := slices.Clone(letters.starts), joined(), len(letters.text)
	text := append(slices.Clip(letters.text), strings.Join(phrases, "\n")...)
	for _, w := range slices.Compact(slices.Sorted(slices.Values(harsh))) {
		if i, there := letters.find(w); there {
			starts[i] = uint32(end)
			end += len(phrases[0]) + len("\n")
			phrases = phrases[1:]
		}
	}
	return &wordList{text, starts}
}

// joined returns a phrase of two words for each harsh word, written as one word that LetterWords does
// not have.
func joined() []string {
	var list []string
	for w := range Words().All() {
		first, second, ok := strings.Cut(w, "_")
		one := first + second
		if !ok || strings.Trim(one, Lower) != "" || slices.Contains(harsh, first) || slices.Contains(harsh, second) || slices.Contains(list, one) {
			continue
		}
		if _, there := LetterWords().find(one); there {
			continue
		}
		if list = append(list, one); len(list) == len(harsh) {
			break
		}
	}
	return list
}

// harsh are the words that MildWords leaves out.
var harsh = strings.Fields(`
arse arsehole asshole bastard bitch bitchery bitchiness bitchy blackamoor boob bugger buggered buggery bullshit
chink cock cocksucker cockup coon crap crappy crippled cripple cunt dago darkie darky dick dickhead dildo dipshit
fag faggot faggoting fag fagot fart farting fuck fucker fuckhead fucking fuckup genocide goddam goddamn goddamned gook
halfbreed holocaust honkey honky hooker horseshit hymie incest jap jigaboo kike kraut krauthead lynch lynching
masturbate masturbation masturbator molest molestation molester motherfucker mulatto nazi nazism naziism negro nigga
nigger nigra orgasm paedophile pedophile penis piccaninny pickaninny pimp piss pissed pisser pissing poof poop porn
porno pornography prick pussy quadroon rape raped raper rapist redskin retard screwing scrotum semen sheeny shit
shite shithead shitless shitlist shitter shitting shitty shitwork slag slut sluttish sodomise sodomist sodomite
sodomize sodomy sperm squaw suicide terrorism terrorist testicle tit titty turd twat vagina wank wanker wetback
whore whoredom whorehouse whoreson wog wop yid
`)
