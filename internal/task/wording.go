package task

import (
	"strconv"
	"strings"

	"verbatim"
)

// A Wording is a way to put a family's question: what stands before and after the
// string, the numbers or the list that it is about. All wordings of a family
// demand the same answer, written in the same way, and nothing beside it.
type Wording struct {
	Name          string // "" is the official wording; "1", "2" … are the paraphrases
	System        string // the system prompt; "" where the family has none
	Before, After string // around the payload, in the user's message
}

// prompt asks about a payload.
func (w Wording) prompt(payload string) verbatim.Prompt {
	user := message("user", w.Before+payload+w.After)
	if w.System == "" {
		return verbatim.Prompt{user}
	}
	return verbatim.Prompt{message("system", w.System), user}
}

// Wordings lists the wordings of a family, the official one first. A wording that
// was released is never changed and never moved, so that a plan asks the same for
// ever: new ones go to the end.
func Wordings(family string) []Wording {
	switch {
	case family == "copy":
		return named(copyWordings())
	case family == "reverse":
		return named(reverseWordings())
	case family == "add":
		return named(addWordings())
	case strings.HasPrefix(family, "sort-"):
		return named(sortWordings())
	}
	return nil
}

func named(list []Wording) []Wording {
	for i := range list[1:] {
		list[i+1].Name = strconv.Itoa(i + 1)
	}
	return list
}

func copyWordings() []Wording {
	return []Wording{
		{Before: `Repeat the following string exactly without modifying it. Don't output anything else. Only output the string without anything additional, not even quotes: "`, After: `"`},
		{Before: `Copy the text between the quotation marks character by character. Your answer must be that text alone, unchanged: no quotation marks, no comment, no other words. "`, After: `"`},
		{Before: `Here is a string: "`, After: `" Write this string once more, exactly as it stands. Answer with the string only, without quotes, without an explanation and without anything else.`},
		{Before: `What is the content of the quotes below? Give it back letter for letter, without changing anything. Leave out the quotes and add nothing.` + "\n\n\"", After: `"`},
	}
}

func reverseWordings() []Wording {
	return []Wording{
		{Before: `Provide the following text in reverse order. Don't output anything else. Only output the reversed string without anything additional, not even quotes: "`, After: `"`},
		{Before: `Write the text between the quotation marks backwards, from its last character to its first. Your answer must be the reversed text alone: no quotation marks, no comment, no other words. "`, After: `"`},
		{Before: `Here is a string: "`, After: `" Reverse the order of its characters. Answer with the reversed string only, without quotes, without an explanation and without anything else.`},
		{Before: `How does the string in the quotes below read from right to left? Give the result letter for letter. Leave out the quotes and add nothing.` + "\n\n\"", After: `"`},
	}
}

func addWordings() []Wording {
	return []Wording{
		{Before: `Provide the sum of the two numbers. Don't output anything else. Only output the sum of the two numbers without anything additional. Only output the final number, no calculation, no explanation, just the final number without any text.: `},
		{Before: `Add the two integers in the quotation marks. Your answer must be their sum alone, written in digits: no quotation marks, no calculation, no comment, no other words. `},
		{Before: `Here are two numbers: `, After: ` What do they add up to? Answer with the resulting number only, without a calculation, without an explanation and without anything else.`},
		{Before: `How much is the first number below plus the second one? Give the total in digits. Leave out the working and the quotes, and add no text.` + "\n\n"},
	}
}

func sortWordings() []Wording {
	return []Wording{
		{System: sortSystem, Before: `Sort the following list: `},
		{
			System: `You put lists into order, as Python's sorted() does for the type of their items. Answer with the sorted list alone, and with nothing else. Write the list in the format in which it is given.`,
			Before: `Put the items of this list into ascending order: `,
		},
		{
			System: `You are given a list. Order its items in the way that is usual in Python for their data type. Give only the ordered list, without any other text, and do not change how the list is written.`,
			Before: `Here is a list: `, After: ` Sort it.`,
		},
		{
			System: `Bring the items of a list into the order that Python's built-in sorting gives them. Your output is the sorted list and nothing beside it, and its notation is that of the list you were given.`,
			Before: "What does the list below look like once it is sorted?\n\n",
		},
	}
}

// wording returns the wording of a family that a variant names.
func wording(family, paraphrase string) (Wording, error) {
	list := Wordings(family)
	var names []string
	for _, w := range list {
		if w.Name == paraphrase {
			return w, nil
		}
		names = append(names, w.Name)
	}
	if len(list) == 0 {
		return Wording{}, misuse("leave out --paraphrase", "there are no other wordings of %s", family)
	}
	return Wording{}, misuse("the paraphrases are "+strings.Join(names[1:], ", ")+"; 'verbatim tasks "+family+"' shows them",
		"there is no paraphrase %q of %s", paraphrase, family)
}

// A rewording puts questions that stand in the first wording in the second.
type rewording [2]Wording

func (w rewording) put(p verbatim.Prompt) verbatim.Prompt {
	text := p[len(p)-1].Content[0].Text
	return w[1].prompt(text[len(w[0].Before) : len(text)-len(w[0].After)])
}
