#!/usr/bin/env python3
"""Size limits: a file holds one idea (at most 300 lines), a function fits a screen (at most 60).

size_limits.py FILE…     prints every excess as FILE:LINE, exits 1 if there is one
size_limits.py --check   checks itself on small texts

A function is a block { … } outside any other function whose head holds a parenthesis: it starts on the first line of
its head. Namespaces, types and initialisers are blocks to look into. Comments, strings and preprocessor lines are
blanked first. Lambdas count as part of the function around them.
"""
import re
import sys

FILE_LIMIT = 300
FUNCTION_LIMIT = 60

BLANKED = re.compile(
    r'//[^\n]*|/\*.*?\*/|R"(?P<tag>[^()\\\s]*)\(.*?\)(?P=tag)"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
    r'|^[ \t]*#(?:\\\n|[^\n])*|\b(?:public|private|protected)\s*:', re.S | re.M)
CONTAINER = re.compile(r'(template\s*<(?:[^<>]|<[^<>]*>)*>\s*)?(inline\s+)?(namespace|class|struct|union|enum|extern)\b')


def blank(text):
    """The text with comments, strings, directives and access labels replaced by as many newlines as they hold."""
    # A digit separator is no quote: 1'000.
    text = re.sub(r"(?<=\d)'(?=\d)", '', text)
    return BLANKED.sub(lambda found: '\n' * found.group().count('\n'), text)


def functions(text):
    """(first line, lines, head) of every outermost function."""
    text = blank(text)
    found, containers, depth_in_function, head_start = [], 0, 0, 0
    for at, character in enumerate(text):
        if depth_in_function:
            depth_in_function += {'{': 1, '}': -1}.get(character, 0)
            if depth_in_function == 0:
                first = text.count('\n', 0, start) + 1
                found.append((first, text.count('\n', 0, at) + 2 - first, head))
                head_start = at + 1
        elif character == '{':
            head = text[head_start:at]
            start = head_start + len(head) - len(head.lstrip())
            head = ' '.join(head.split())
            # "= {": a table; its braces are looked into, since lambdas may stand there.
            if '(' in head and not CONTAINER.match(head) and not head.endswith('='):
                depth_in_function = 1
            else:
                containers += 1
                head_start = at + 1
        elif character == '}':
            containers -= 1
            head_start = at + 1
        elif character == ';':
            head_start = at + 1
    return found


def excesses(path, text):
    lines = text.count('\n')
    if lines > FILE_LIMIT:
        yield f'{path}:1: {lines} lines in the file; the limit is {FILE_LIMIT}'
    for first, count, head in functions(text):
        if count > FUNCTION_LIMIT:
            yield f'{path}:{first}: {count} lines in "{head[:60]}"; the limit is {FUNCTION_LIMIT}'


def self_check():
    def body(lines):
        return '{\n' + '  x();\n' * (lines - 2) + '}\n'

    def names(text):
        return list(excesses('f', text))

    assert names('int f() ' + body(60)) == []
    assert len(names('int f() ' + body(61))) == 1
    assert len(names('namespace a {\nclass B : public C {\n int f(int a,\n  int b) const ' + body(60) + '};\n}\n')) == 1
    assert names('namespace a {\n' + ('void f() ' + body(40)) * 5 + '}\n') == []
    assert len(names('int x;\n' * 301)) == 1 and names('int x;\n' * 300) == []
    assert names('// {\nconst char* s = "{ \\" {";\n#define X {\nvoid f() ' + body(60)) == []
    assert len(names('template <class T>\nauto f(T t) -> int\n' + body(60))) == 1
    assert len(names('struct A {\n A() : a_{1}, b_(2) ' + body(61) + '};\n')) == 1
    assert len(names('const T kTable[] = {\n {"x", [](int a) ' + body(61) + '}};\n')) == 1
    assert names('x = 1\'000;\n' + 'void f() ' + body(60)) == []
    assert names('auto s = R"(\n' + '{ f() {\n' * 70 + ')";\n') == []
    assert functions('void f() {\n}\n\nint g() {\n}\n') == [(1, 2, 'void f()'), (4, 2, 'int g()')]


def main(arguments):
    if arguments == ['--check']:
        self_check()
        return 0
    found = []
    for path in arguments:
        with open(path, encoding='utf-8') as file:
            found += excesses(path, file.read())
    print('\n'.join(found), end='\n' if found else '')
    return 1 if found else 0


if __name__ == '__main__':
    sys.exit(main(sys.argv[1:]))
