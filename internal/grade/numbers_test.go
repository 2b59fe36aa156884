package grade_test

import (
	"testing"

	"verbatim"
	"verbatim/internal/grade"
)

// rootItem is an item about a root, rounded down, and what it is with a fraction.
func rootItem(number, want, fraction string) *verbatim.Item {
	n := verbatim.ListAnswer([]any{number})
	return &verbatim.Item{Want: verbatim.TextAnswer(want), Source: &n, Grader: "integer",
		Mistakes: []verbatim.Mistake{{Label: "decimal", Detail: "not rounded", Answer: verbatim.TextAnswer(fraction)}}}
}

// TestFractionsOfReaders: a number with a fraction never gives its whole part, whatever its decimal
// mark and what follows it; where no other answer follows, it is the answer, and a wrong one.
func TestFractionsOfReaders(t *testing.T) {
	root40, root3712, root50 := rootItem("40", "6", "6.32"), rootItem("3712", "60", "60.93"), rootItem("50", "3", "3.68")
	for _, c := range []labelCase{
		{root40, "La raíz cuadrada de 40 es 6,3245…, así que al número entero más cercano hacia arriba corresponde 7.", "other_number"},
		{root40, "La raíz cuadrada de 40 es 6,3245…", "decimal"},
		{root40, "The square root of 40 is 6.3245...", "decimal"},
		{root40, "The square root of 40 is 6.3245… and goes on without end.", "decimal"},
		{root40, "Die Quadratwurzel aus 40 ist 6,32….", "decimal"},
		{root40, "√40 ≈ 6,3245", "decimal"},
		{root40, "√40 ≈6{,}3245", "decimal"},
		{root40, "√40 = 6,324", "decimal"},
		{root40, "6,3245", "decimal"},
		{root40, "**6,3245…**", "decimal"},
		{root40, "6.3245...", "decimal"},
		{root40, "La racine carrée de 40 est **6,32**.", "decimal"},
		{root40, "Pierwiastek z 40 to około 6,32.", "decimal"},
		{root40, "The answer is \"6,32.\"", "decimal"},
		{root3712, "Die Quadratwurzel aus 3712 beträgt ungefähr 60,93.", "decimal"},
		{root3712, "The square root of 3712 is approximately 4.5979.", "other_number"},
		{root3712, "The square root of 3712 is approximately 45,979.", "other_number"},
		{root3712, "La racine carrée de 3712 vaut environ 60,93 (car 60² = 3600).", "decimal"},
		{root3712, "Квадратный корень из 3712 примерно равен 60,93.", "decimal"},
		{root50, "50'nin küp kökü yaklaşık olarak 3,68 değerindedir.", "decimal"},
		{root40, "√40 = 2√10 ≈ 6,32", "decimal"},
		{root3712, "3712'nin karekökü yaklaşık olarak 60,9262 değerindedir.", "decimal"},
		// The whole part follows.
		{root40, "√40 ≈ 6,32, abgerundet 6.", "explained"},
		{root40, "La raíz cuadrada de 40 es 6,3245, por lo tanto 6.", "explained"},
		{root40, "√40 ≈ 6.3245…, so 6.", "explained"},
		{root40, "√40 ≈ 6.3245, so 6.", "explained"},
		{root40, "√40 ≈ 6,3245…, also 6.", "explained"},
		{root40, "La raíz cuadrada de 40 es 6,3245…, así que la respuesta es 6.", "explained"},
		{root40, "The answer is 6.3245..., so the whole part is 6.", "explained"},
		{root40, "La racine carrée de 40 est environ 6,32, donc 6.", "explained"},
	} {
		c.check(t)
		if g := grade.Of(c.item, c.reply, verbatim.FinishStop); g.Extracted != (c.label == "explained") {
			t.Errorf("%q: extracted %v", c.reply, g.Extracted)
		}
	}
}

// TestCountsOfReaders: a number before a word for times or occurrences answers what is to be counted.
func TestCountsOfReaders(t *testing.T) {
	letter := verbatim.ListAnswer([]any{"Obtainment toffy dossel"})
	times := &verbatim.Item{Want: verbatim.TextAnswer("3"), Source: &letter, Grader: "integer"}
	for _, c := range []labelCase{
		{times, "Je compte le « O » initial de « Obtainment » et celui de « toffy » : cela donne 3 occurrences.", "explained"},
		{times, "Je compte le « O » initial de « Obtainment » et celui de « toffy » : cela donne 4 occurrences.", "other_number"},
		{times, "Cyfra „2” pojawia się w tym ciągu dokładnie 3 razy.", "explained"},
		{times, "W ciągu litera pojawia się 1 raz w pierwszym słowie i 2 razy dalej. Razem jest 3 razy.", "explained"},
		{times, "It appears 1 time in Obtainment and 2 times in the rest. That is 3.", "explained"},
		{times, "La lettera «o» della parola iniziale compare per 3 volte.", "explained"},
		{times, "Bokstaven förekommer 3 gånger.", "explained"},
		{times, "\"o\" harfi 3 kez geçiyor.", "explained"},
		{times, "Im ursprünglichen Text gibt es 3 Vorkommen.", "explained"},
	} {
		c.check(t)
	}
}

// TestNumbersOfReaders: a noun between a verb and a number, what is excluded behind it, separators in a
// wrong number, and powers, which are steps to a root.
func TestNumbersOfReaders(t *testing.T) {
	root := rootItem("73047630", "418", "418.02")
	cube := rootItem("27", "3", "3.5")
	for _, c := range []labelCase{
		{root, "Da 418³ = 73034632 und 419³ = 73560059, lautet der ganzzahlige Teil 418 (nicht 419).", "explained"},
		{root, "Comme 418³ = 73034632 et 419³ = 73560059, on retient la partie entière 418 (pas 419).", "explained"},
		{root, "418³ = 73034632 y 419³ = 73560059; por eso queda como parte entera 418 (no 419).", "explained"},
		{root, "Da 418³ = 73034632 und 419³ = 73560059, lautet der ganzzahlige Teil 419 (nicht 418).", "other_number"},
		{root, "The answer is \"7,353.\"", "other_number"},
		{root, "The answer is 7.353.480.", "other_number"},
		{root, "What we look at is 419^3 and so on.", "talk"},
		{root, "418", "pass"},
	} {
		c.check(t)
	}
	for _, c := range []labelCase{
		{cube, "To find the cube root of 27, we'll first find its cube with a calculator: 27 cubed = 851. Now we'll find the cube root of 851: 851 * (1/851)", "talk"},
		{cube, "We first look at it: 27^3 = 3. Now we'll find the cube root of 851: 851 * (1/851)", "talk"},
		{cube, "Wir rechnen: 27 zum Quadrat = 729. Davon ziehen wir 851 * (1/851) ab", "talk"},
		{cube, "We take it: 27 × 27 = 729. Now we'll find the root of 851 * (1/851)", "talk"},
		{cube, "We take it: 27^(1/3) = 3. Now we'll prove that 3 * 3 * 3 is", "equation"},
		{cube, "∛27 = 3. Now we'll prove it: 3 * 3 * 3 is", "equation"},
	} {
		c.checkCut(t)
	}
}
