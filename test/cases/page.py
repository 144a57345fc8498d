#!/usr/bin/env python3
"""page FILE: types what a page of the documentation has its reader type, and compares the answers.

Commands stand behind "$ " in blocks without a language. In an answer "…" and "01K…" stand for anything;
"01KP…" and the like for one value, which commands further down mean by the same word. A GET is repeated until
its answer fits; a command that does not end is left running once it has said what the page shows. NAME=VALUE… says by
what names of the page are replaced; {address} is where the server listens.
"""
import json, os, re, subprocess, sys, threading, time

PATIENCE = 60
names = dict(word.split("=", 1) for word in sys.argv[2:])
bound, left_running, setup = {}, [], []


def blocks(text):
    for kind, body in re.findall(r"^```(\w*)\n(.*?)^```$", text, re.M | re.S):
        if not kind:
            yield body.splitlines()


def steps(lines):
    """(command, the lines of its answer)"""
    i = 0
    while i < len(lines):
        command, i = [lines[i].removeprefix("$ ")], i + 1
        end = re.search(r"<<(\w+)$", command[0])
        while command[-1].endswith("\\") or end and command[-1] != end[1]:
            command.append(lines[i])
            i += 1
        answer = []
        while i < len(lines) and not lines[i].startswith("$ "):
            answer.append(lines[i])
            i += 1
        yield "\n".join(command), answer


def real(text):
    for name, value in list(names.items()) + sorted(bound.items(), key=lambda one: -len(one[0])):
        text = text.replace(name, value)
    return text


def pattern(line):
    """A regular expression, and the words that its groups bind."""
    words, parts, place = [], "", 0
    for found in re.finditer(r"[\w-]*…", real(line)):
        parts += re.escape(real(line)[place : found.start()])
        place = found.end()
        if found[0] in ("…", "01K…"):
            parts += ".*"
        else:
            words.append(found[0])
            parts += r"([^\"\s,]+)"
    return re.compile(parts + re.escape(real(line)[place:])), words


def fits(answer, lines):
    """Whether all lines of the answer came, in order; binds their words."""
    found, place = {}, 0
    for line in answer:
        if not line:
            continue
        shape, words = pattern(line)
        match = None
        while match is None and place < len(lines):
            match = shape.fullmatch(lines[place].rstrip("\r"))
            place += 1
        if match is None:
            return False
        found.update(zip(words, match.groups()))
    bound.update(found)
    return True


def run(command, answer):
    typed = real(command)
    at_terminal = typed.startswith("agents token link")
    words = ["bash", "-c", "shopt -s expand_aliases\n" + "\n".join([line[1] for line in setup] + [typed])]
    if at_terminal:
        words = ["script", "--quiet", "--return", "--command", typed, "/dev/null"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                               stdin=subprocess.DEVNULL, start_new_session=True)
    lines = []

    def read():
        for line in process.stdout:
            lines.append(line.rstrip("\n"))
            address = re.match(r"listening on (127\.0\.0\.1:\d+)$", line)
            for name in names if address else ():
                names[name] = names[name].replace("{address}", address[1])
            code = re.search(r"agents login approve (\S+)", line)
            if code:
                approve = ["agents", "login", "approve", code[1], "--person", "ada", "--scope", "read", "--scope", "run"]
                subprocess.run(approve, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    reader = threading.Thread(target=read, daemon=True)
    reader.start()
    goes_on = "event-stream" in typed or typed.startswith(("agents server", "agents worker --"))
    end = time.monotonic() + PATIENCE
    while reader.is_alive() and time.monotonic() < end:
        if goes_on and (lines if not answer else fits(answer, list(lines))):
            left_running.append(process)
            return True, lines
        reader.join(0.02)
    return fits(answer, lines) and process.wait() == 0, lines


def type_page(path):
    count = 0
    everything = [(number, *step) for number, block in enumerate(blocks(open(path).read())) for step in steps(block)]
    for block, command, answer in everything:
        count += 1
        # A variable counts to the end of its block, an alias to the end of the page.
        setup[:] = [line for line in setup if line[1].startswith("alias ") or line[0] == block]
        # At the device that signs in.
        if command.startswith("agents login "):
            setup.append((block, "export CLEVERAGENTS_HOME=$HOME/device"))
        if command.startswith(("alias ", "export ")):
            setup.append((block, real(command)))
            continue
        looks = "--json" not in command and not command.startswith("agents")
        end = time.monotonic() + PATIENCE
        done, lines = run(command, answer)
        while not done and looks and time.monotonic() < end:
            time.sleep(0.05)
            done, lines = run(command, answer)
        if not done:
            sys.exit("$ %s\nexpected:\n  %s\ncame:\n  %s" % (real(command), "\n  ".join(map(real, answer)), "\n  ".join(lines)))
    print("typed", count, "commands")


try:
    type_page(sys.argv[1])
finally:
    for process in left_running:
        try:
            os.killpg(process.pid, 15)
            process.wait(PATIENCE)
        except ProcessLookupError:
            pass
