#!/usr/bin/env python3
"""Texts of the window: every one that the sources hold is in the tables of every language.

phrases.py FOLDER    prints the texts that a table lacks, as FILE:LINE: LANGUAGE: TEXT, exits 1 if there is one
phrases.py --check   checks itself on small sources

A text is what C++ adds up of strings, "row " + name + " of " + count, with {} in the place of what is no string. What
no window shows, or nobody reads as words (code, keys of files, data), stands in not_phrases.txt.
"""
import re

from sources import run, sources

SILENT = ('app/cli/', 'app/words/', 'app/host/', 'core/code/', 'core/opencl/', 'core/reference/')
TOKEN = re.compile(r'''(?P<skip>\s+|//[^\n]*|/\*.*?\*/|^\#[^\n]*)|R"(?P<mark>[^(]*)\((?P<raw>.*?)\)(?P=mark)"|"(?P<text>(?:\\.|[^"\\\n])*)"|'(?P<letter>(?:\\.|[^'\\])+)'|(?P<word>\w[\w.']*)|(?P<sign>->|::|\+\+|--|\+=|-=|==|!=|<=|>=|&&|\|\||<<|>>|.)''', re.S | re.M)
ESCAPES = {'n': '\n', 't': '\t'}
BEGINS = {'(', ',', '{', '=', '+=', ';', '?', ':', '<<', '[', 'return'}
ENDS = {')', ']', '}', '+', ',', ';', '?', ':', '=', '+=', '<<'}
OPEN, CLOSE = set('([{'), set(')]}')
MOST = 16  # texts that one expression can be


def unescaped(text):
    text = re.sub(r'\\u([0-9a-fA-F]{4})', lambda m: chr(int(m[1], 16)), text)
    return re.sub(r'\\(.)', lambda m: ESCAPES.get(m[1], m[1]), text)


def tokens(text):
    """(kind, token, line number); kind: 's' a string, 't' any other."""
    line = 1
    for m in TOKEN.finditer(text):
        if m['raw'] is not None:
            yield 's', m['raw'], line
        elif m['text'] is not None:
            yield 's', unescaped(m['text']), line
        elif m['letter'] is not None:
            yield 's', unescaped(m['letter']), line
        elif m['skip'] is None:
            yield 't', m[0], line
        line += m[0].count('\n')


class Reader:
    """Reads expressions, each as the texts that it can be."""

    def __init__(self, text):
        self.tokens = [*tokens(text), ('t', ';', 0)]

    def sign(self, at):
        kind, token, _ = self.tokens[min(at, len(self.tokens) - 1)]
        return token if kind == 't' else ''

    def behind_group(self, at):
        depth = 0
        while at < len(self.tokens):
            depth += (self.sign(at) in OPEN) - (self.sign(at) in CLOSE)
            at += 1
            if depth == 0:
                break
        return at

    def rest(self, at, texts):
        """What stands behind an operand, as .size() does, makes something else of it."""
        begin = at
        while at < len(self.tokens) and self.sign(at) not in ENDS and self.tokens[at][0] != 's':
            at = self.behind_group(at) if self.sign(at) in OPEN else at + 1
        return texts if at == begin else ['{}'], at

    def operand(self, at):
        if self.tokens[at][0] == 's':
            text = ''
            while self.tokens[at][0] == 's':
                text, at = text + self.tokens[at][1], at + 1
            return self.rest(at, [text])
        inside = at + 1 if self.sign(at) == '(' else None
        if [self.sign(at + i) for i in range(2)] == ['std', '::'] and self.sign(at + 3) in ('(', '{'):
            inside = at + 4 if self.sign(at + 2) in ('string', 'string_view') else None
        if inside is not None:
            end = self.behind_group(inside - 1)
            texts, behind = self.expression(inside)
            return self.rest(end, texts if behind == end - 1 else ['{}'])
        if self.sign(at) == '{':
            return ['{}'], at
        return ['{}'], max(at + 1, self.rest(at, [])[1]) if self.sign(at) not in ENDS else at

    def expression(self, at):
        texts = ['']
        while at < len(self.tokens):
            more, behind = self.operand(at)
            if behind == at:
                break
            texts, at = [a + b for a in texts for b in more][:MOST], behind
            if self.sign(at) != '+':
                break
            at += 1
        if self.sign(at) != '?':
            return texts, at
        first, at = self.expression(at + 1)
        if self.sign(at) != ':':
            return ['{}'], at
        second, at = self.expression(at + 1)
        return [*first, *second][:MOST], at

    def texts(self):
        """(line number, text) of every expression that holds a string."""
        for at in range(1, len(self.tokens)):
            if self.sign(at - 1) in BEGINS:
                texts, end = self.expression(at)
                if any(kind == 's' for kind, _, _ in self.tokens[at:end]):
                    for text in dict.fromkeys(texts):
                        yield self.tokens[at][2], text


def as_looked_up(text):
    """With a place where the text goes on from another, or another goes on from it."""
    text = re.sub(r'(?<![\w{])%[a-z]\b', '{}', text)
    if re.match(r'[ ,;:.]', text):
        text = '{}' + text
    if text.endswith((' ', '(', '“')):
        text += '{}'
    return re.sub(r'(\{\})+', '{}', text).strip()


def is_phrase(text):
    words = re.sub(r'\{\}', ' ', text)
    return bool(re.search(r'[A-Za-z]{2,} +(.* )?[a-z]{2,}', words)) and not text.startswith(('--', '#', '<', '{"'))


def phrases(text):
    for line, found in Reader(text).texts():
        found = as_looked_up(found)
        if is_phrase(found):
            yield line, found


def in_table(path):
    """The texts of a PO file, numbers’ places as any other."""
    strings = re.findall(r'^msgid ((?:"(?:[^"\\]|\\.)*"\n)+)', path.read_text(), re.M)
    parts = (''.join(re.findall(r'"((?:[^"\\]|\\.)*)"', s)) for s in strings)
    return {re.sub(r'\{[#=]\}', '{}', unescaped(part)) for part in parts}


def known(text, table):
    """As a whole, or both sides of its colon, as the window looks it up."""
    left, colon, right = text.partition(': ')
    return text in table or (colon and left in table and right in table)


def search(root):
    silent = set((root / 'tests/quality/not_phrases.txt').read_text().splitlines())
    tables = {folder.name: set().union(*(in_table(path) for path in folder.glob('*.po')))
              for folder in sorted((root / 'assets/languages').iterdir())}
    for name, text in sources(root):
        if name.startswith(SILENT):
            continue
        for line, found in phrases(text):
            for language, table in tables.items():
                if not known(found, table) and found.replace('\n', '\\n') not in silent:
                    yield name, line, f'{language}: {found!r}'


def check():
    def two_rows(text):
        return [found for found in phrases(text) if found[1] in ('two rows of {}', 'a row of {}', '{}, not more than this')]
    bad = ['x = "two rows " "of " + name;', 'f(n > 1 ? "two rows of " + name : "none");', 'return "two rows of " + std::to_string(n);',
           'f((n == 1 ? "a row" : "two rows") + std::string(" of ") + name)', 'text += ", not more than this";',
           'f({.says = "two rows of " + g(a, b)})']
    good = ['// "two rows of "', 'x = "two rows of him";', '#include "two rows of x"', 'f("two");', 'x = "--two rows of " + y;']
    return two_rows, bad, good


if __name__ == '__main__':
    run(__doc__, search, check)
