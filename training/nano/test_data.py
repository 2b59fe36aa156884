"""Tests of the training data. They need only the program: VERBATIM=path python3 -m unittest test_data"""

import json
import os
import random
import re
import unittest

import data
import tokens
import wordings

PROGRAM = os.environ.get("VERBATIM", "verbatim")
TASKS = ("copy", "reverse", "add", "sort")


def wording_of(name, family):
    item = data.items(PROGRAM, "--task", family, "--length", "4", "--items", "1", *(["--paraphrase", name] if name else []))[0]
    return " ".join(m["content"] for m in item["messages"])


def sentences(text):
    return {s.strip() for s in re.split(r"(?<=[.?:])\s+|\s*\"[^\"]*\"\s*|\s*\[.*\]\s*", text) if s and len(s.split()) > 3}


class Held(unittest.TestCase):
    """Texts and wordings that are not trained on."""

    def test_training_draws_from_seeds_of_its_own(self):
        self.assertGreater(data.SEEDS, 1 << 32)

    def test_suites_share_no_item_with_training(self):
        asked = data.suite_texts(PROGRAM)
        self.assertGreater(len(asked), 2000)
        for block in (0, 31):
            questions = data.Questions(PROGRAM, block, asked, many=4000)
            shown = []
            questions._question = lambda task, what: shown.append(what)
            list(questions)
            self.assertGreater(len(shown), 3500)
            self.assertFalse(asked & set(shown))

    def test_an_item_of_a_suite_is_left_out(self):
        free = [q for q in data.Questions(PROGRAM, 1, set(), many=300)]
        short = data.Questions(PROGRAM, 1, set(), many=300)
        family, pool = next((k, v) for k, v in short.pools.items() if v)
        left = [q for q in data.Questions(PROGRAM, 1, {pool[-1]}, many=300)]
        self.assertLess(len(left), len(free))

    def test_held_out_wordings_are_not_made(self):
        held = set()
        for name in wordings.HELD_OUT:
            for family in ("copy", "reverse", "add", "sort-int"):
                held |= {s.lower() for s in sentences(wording_of(name, family))}
        self.assertGreater(len(held), 15)
        R = random.Random(1)
        for _ in range(20000):
            task = R.choice(TASKS)
            made = " ".join(wordings.wording(R, task, 0.3)).lower()
            for s in held:
                self.assertNotIn(s, made)


class Official(unittest.TestCase):
    """The wordings here are those of the program."""

    def test_official_wordings_are_phrases_only(self):
        for family, task in (("copy", "copy"), ("reverse", "reverse"), ("add", "add"), ("sort-int", "sort")):
            text = wording_of("", family)
            system, before, _ = wordings.OFFICIAL[task]
            self.assertTrue(text.startswith((system + " " + before).strip()), f"{family}: the program asks {text!r}: bring PHRASES and OFFICIAL up to date and train again")

    def test_paraphrase_1_is_the_first(self):
        for family, task in (("copy", "copy"), ("reverse", "reverse"), ("add", "add"), ("sort-int", "sort")):
            system, before, _ = wordings.FIRST[task]
            self.assertTrue(wording_of("1", family).startswith((system + " " + before).strip()), family)

    def test_every_word_is_known_once(self):
        self.assertEqual(sorted(set(wordings.WORDS)), wordings.WORDS)


class Answers(unittest.TestCase):
    """The right answers here are those of the program."""

    def test_answers_are_those_of_the_items(self):
        families = sorted({k.family for k in data.MIX if not k.family.startswith("own-")})
        for item in data.items(PROGRAM, "--task", ",".join(families), "--length", "4", "--items", "20"):
            family = item["facts"]["family"]
            got = data.answer(family.split("-")[0], data.content(item))
            if family.startswith("sort-"):
                got = json.loads(got) if "'" not in got else eval(got, {"__builtins__": {}})
            self.assertEqual(got, item["want"], item["id"])

    def test_a_block_is_a_function_of_its_number(self):
        one, two = ([q for q in data.Questions(PROGRAM, 3, set(), many=200)] for _ in range(2))
        self.assertEqual(one, two)
        self.assertNotEqual(one, [q for q in data.Questions(PROGRAM, 4, set(), many=200)])


class Tokens(unittest.TestCase):
    """The rules of encoding, which internal/nano follows, too."""

    def test_list(self):
        s = tokens.encode([("user", "Sort the following list: [10, 9]")])
        self.assertEqual(s.tokens[2:], [tokens.LIST, 256, 49, 48, 258, 57, 257, tokens.ASSISTANT])
        self.assertEqual(s.places[2:], [(0, 0, 1), (1, 1, 3), (2, 1, 2), (3, 1, 1), (4, 2, 2), (5, 2, 1), (6, 3, 1), (0, 0, 0)])

    def test_sum(self):
        s = tokens.encode([("user", 'Add: "12" "3"')])
        self.assertEqual(s.tokens[2:-1], [tokens.TEXT, 49, 50, tokens.TEXT, 51])
        self.assertEqual(s.places[2:-1], [(0, 0, 3), (1, 0, 2), (2, 0, 1), (0, 1, 2), (1, 1, 1)])

    def test_text_with_quotes(self):
        s = tokens.encode([("user", 'Copy: "a"b\n"')])
        self.assertEqual(s.tokens[2:-1], [tokens.TEXT, *b'a"b\n'])

    def test_answers_come_back(self):
        for text in ("[]", "[1, -2]", "['a', 'b']", "ä\"\n", "['a', \"it's\"]"):
            self.assertEqual(tokens.decode(tokens.answer_tokens(text)), text)


if __name__ == "__main__":
    unittest.main()
