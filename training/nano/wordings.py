"""The ways to put the questions that the network is trained on.

PHRASES are the sentences of the program's official wordings, one token each.
Other wordings are joined here at random from short sentences, so that the network
learns which few words matter. The program's paraphrases HELD_OUT are never used.
"""

import re

PHRASES = [
    "Repeat the following string exactly without modifying it.",
    "Don't output anything else.",
    "Only output the string without anything additional, not even quotes:",
    "Provide the following text in reverse order.",
    "Only output the reversed string without anything additional, not even quotes:",
    "Provide the sum of the two numbers.",
    "Only output the sum of the two numbers without anything additional.",
    "Only output the final number, no calculation, no explanation, just the final number without any text.:",
    "Sort the following list:",
    "Your task is to sort a list according to the common sorting of the used data type in Python.",
    "The output must only contain the sorted list and nothing else.",
    "The format of the list must stay the same.",
]

HELD_OUT = ["2", "3"]

# (system, before, after) of the official wordings and of paraphrase 1; the content is between them, in its own marks.
_ALONE = "no quotation marks, no comment, no other words."
OFFICIAL = {
    "copy": ("", " ".join(PHRASES[:3]) + " ", ""),
    "reverse": ("", " ".join([PHRASES[3], PHRASES[1], PHRASES[4]]) + " ", ""),
    "add": ("", " ".join([PHRASES[5], PHRASES[1], PHRASES[6], PHRASES[7]]) + " ", ""),
    "sort": (" ".join(PHRASES[9:]), PHRASES[8] + " ", ""),
}
FIRST = {
    "copy": ("", f"Copy the text between the quotation marks character by character. Your answer must be that text alone, unchanged: {_ALONE} ", ""),
    "reverse": ("", f"Write the text between the quotation marks backwards, from its last character to its first. Your answer must be the reversed text alone: {_ALONE} ", ""),
    "add": ("", "Add the two integers in the quotation marks. Your answer must be their sum alone, written in digits: no quotation marks, no calculation, no comment, no other words. ", ""),
    "sort": (
        "You put lists into order, as Python's sorted() does for the type of their items. Answer with the sorted list alone, and with nothing else. "
        "Write the list in the format in which it is given.",
        "Put the items of this list into ascending order: ",
        "",
    ),
}

# Sentences that state the task. {} is one of the task's nouns.
_KEYS = {
    "copy": """Repeat this {}. Repeat the {}. Copy this {}. Copy the {} exactly. Please copy the {} for me. Echo the {}. Echo this. Say this back to me.
        Reproduce the {} verbatim. Output the {} unchanged. Print the {} as it is. Write the {} again. Write the same {} again. Type the {} once more.
        Return the {} without changing it. Give me the same {}. Do not change the {}. Repeat after me. Can you repeat this {}? What does the {} say?
        What is between the quotation marks? Give the {} back unchanged. Show me the {} again. Write down exactly what is given. Say the {} word for word.
        What is the {}? What is written in the quotes? Give back the {} character for character. Tell me the {}. Put the {} here once more. Please say it again.""",
    "reverse": """Reverse this {}. Reverse the {}. Please reverse the {}. Write the {} backwards. Write this {} in reverse. Write the {} in reverse order. Spell the {} backwards.
        Turn the {} around. Output the {} reversed. Give me the reversed {}. Print it backwards. Say it backwards. Give the characters from last to first.
        Write the characters of the {} from the last to the first. Read the {} from right to left. Write it from right to left. What is the {} in reverse?
        How does the {} look backwards? What do you get from right to left? Can you reverse this {}? Give its letters in reverse order. Start with its last character.
        The {} is to be reversed. Begin with the last letter and end with the first. What does this {} give when it is reversed? Reversed, please.
        Give the {} from its end to its start. Mirror the {}. Which {} is this from right to left?""",
    "add": """Add these numbers. Add the two {}. Add them. Add them together. What is the sum? What is the sum of the {}? Sum the two {}. Sum these. Compute the sum.
        Calculate the total of the {}. Give the total. How much is that together? How much are the two {}? What do you get when you add the {}? Find the sum of both.
        Give me the sum of the {}. The first plus the second. What is one plus the other? Which number do they make? Add the second number to the first. What is the result?""",
    "sort": """Sort this list. Sort the list. Sort the {}. Please sort the {}. Sort these {}. Put the {} in order. Put these in order. Order the list. Order the {} of this list.
        Return the sorted list. Give me the list in ascending order. Sort in ascending order. Bring the {} into order. What is the sorted list? How does the list look when sorted?
        What is the right order of the {}? Write the list again, in order. Put the smallest first. Put the list below into order. Arrange the {}.
        You sort lists. Here comes a list. Your output is the sorted list. Give the {} in the order of Python's sort. Use the order that Python has for this type of data.
        Python's built-in sort decides. Change only the order of the {}. Do not change the {}. Keep all the {}. Write it like the list that you were given.
        Its format is that of the given list. The notation of the list stays the same. It must look as it does in Python. Answer only with the ordered list. Give only the list.""",
}
_NOUNS = {
    "copy": "string text line word message content".split(),
    "reverse": "string text line word message content".split(),
    "add": "numbers integers two values".split(),
    "sort": "items numbers words elements values data".split(),
}
# Sentences that do not: how to answer, courtesy, where the content is.
_FILLERS = """Answer with the result only. Answer with the result alone. Only the answer, please. Give the answer and nothing else. No other text. No explanation. No comment.
    No quotes. Without quotes. Leave out the quotes. Leave the explanation out. Do not explain. Do not explain the result. Do not add anything. Add nothing to it. Add no words. Add no comment.
    Write nothing else. Write only the result. Output only the result. Your answer must be the result. Your output is the result and nothing beside it. Without any other words.
    Without an explanation and without a comment. Just the result, no calculation. Say nothing else. Please be exact. Be careful. Thank you. Here it is. Here you are.
    See below. It is below. It stands in quotes. The quotes are not part of it. Here is what you are given. This is the task. Think about it, but write only the answer.
    You are a helpful assistant. You answer exactly. Read the task and answer. Now answer. In one line, please. Nothing more. Letter for letter, digit for digit. Every character counts.
    Do as you are told. Follow the task exactly. There is only one right answer. Without changing anything else. The way it is given. As it stands. Is it clear? What is the answer?
    Use no other format. The result must be exact, with no text before it and no text after it. What follows is the data. Use what is in the quotes below. You will be given the data once."""

_SPLIT = re.compile(r"(?<=[.?]) +|\n\s*")


def _sentences(text):
    return [s.strip() for s in _SPLIT.split(text) if s.strip()]


KEYS = {task: _sentences(text) for task, text in _KEYS.items()}
FILLERS = _sentences(_FILLERS)

_WORD = re.compile(r"[A-Za-z0-9']+")
# Words of instructions that are in no sentence above.
_MORE = """above after all also answer around ascending back below beside both bring built but by does else even first from give goes has how into it's its left letter like list
    look made make may more most much no notation nothing number often once one or other out over plus put read result right same should so sorting such than that their them then they this those
    through to total type up usual way we were what whatever when where which while who will with within without word working would you your in for of a an the if is are be been not any each
    reversing backward sorted ordered working third second string strings characters digits lists text texts numbers quotes written resulting""".split()


def _vocabulary():
    texts = [t for w in (OFFICIAL, FIRST) for three in w.values() for t in three]
    texts += [s.replace("{}", " ") for keys in KEYS.values() for s in keys] + FILLERS + _MORE + [n for nouns in _NOUNS.values() for n in nouns]
    return sorted({w.lower() for t in texts for w in _WORD.findall(t)})


WORDS = _vocabulary()
# Words for noise: none that could mean copying or reversing.
_DECIDE = set("reverse reversed reversing backwards backward mirror right left last around turn end repeat copy echo again same unchanged verbatim reproduce start begin".split())
_NOISE = [w for w in WORDS if w not in _DECIDE]


def _key(R, task):
    return R.choice(KEYS[task]).replace("{}", R.choice(_NOUNS[task]))


def _noise(R):
    words = R.choices(_NOISE, k=R.randint(2, 10))
    return " ".join(words).capitalize() + R.choice([".", ".", "?", ":", ","])


def _filler(R):
    return _noise(R) if R.random() < 0.25 else R.choice(FILLERS)


def _joined(R, sentences):
    """Joins sentences; some texts are in lower case, and some have a made-up word in place of another."""
    text = " ".join(sentences)
    if R.random() < 0.15:
        text = text.lower()
    if R.random() < 0.2:
        words = text.split(" ")
        words[R.randrange(len(words))] = "".join(R.choices("abcdefghijklmnopqrstuvwxyz", k=R.randint(3, 9)))
        text = " ".join(words)
    return text


def _made(R, task):
    """A wording put together at random: (system, before, after)."""
    few = min(int(R.expovariate(0.6)), 6)
    parts = [_key(R, task) for _ in range(R.choice([1, 1, 1, 2]))]
    parts += [_filler(R) for _ in range(few)]
    R.shuffle(parts)
    system = ""
    if task == "sort" and R.random() < 0.6 or R.random() < 0.15:
        system = _joined(R, [_key(R, task) if R.random() < 0.7 else _filler(R)] + [_filler(R) if R.random() < 0.6 else _key(R, task) for _ in range(R.randint(0, 3))])
    where = R.random()
    if where < 0.6:
        before, after = parts, []
    elif where < 0.8:
        before, after = [R.choice(FILLERS)], parts
    else:
        k = R.randint(0, len(parts))
        before, after = parts[:k], parts[k:]
    before, after = _joined(R, before), _joined(R, after)
    if before and before[-1] in ".," and R.random() < 0.5:
        before = before[:-1] + ":"
    return system, before + R.choice([" ", " ", "\n", "\n\n"] if before else [""]), (R.choice([" ", " ", "\n"]) + after if after else "")


def wording(R, task, official):
    """A wording of a task: (system, before, after). official is the share of the official one."""
    u = R.random()
    if u < official:
        system, before, after = OFFICIAL[task]
        v = R.random()
        if v < 0.06:  # a sentence dropped, or the system prompt left out or replaced
            chosen = [s for s in PHRASES if s in before]
            before = " ".join(s for s in chosen if s == chosen[0] or R.random() < 0.5) + " "
        elif v < 0.12:
            system = R.choice(["", "You are a helpful assistant.", R.choice(FILLERS)])
        return system, before, after
    if u < official + 0.06:
        return FIRST[task]
    return _made(R, task)
