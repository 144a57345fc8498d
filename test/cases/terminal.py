#!/usr/bin/env python3
"""terminal COMMAND…: runs it at a terminal of 100 columns, and does what standard input says:

see TEXT    waits until the terminal shows it, after what was seen last
type TEXT   types it, and Enter
keys TEXT   types it as it is; \\t, \\r, \\x03, \\x1b[A
"""
import fcntl, os, pty, re, select, signal, struct, sys, termios, time

PATIENCE = 30
pid, terminal = pty.fork()
if pid == 0:
    os.environ["TERM"] = "xterm-256color"
    os.execvp(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 30, 100, 0, 0))
shown, place, over = "", 0, False


def read():
    global shown, over
    if not select.select([terminal], [], [], 0.5)[0]:
        return
    try:
        data = os.read(terminal, 65536)
    except OSError:
        data = b""
    over = over or not data
    shown += re.sub(r"\x1b(\[[0-9;?]*[A-Za-z]|[()][A-Z0-9]|[=>])", "", data.decode(errors="replace"))


for step in sys.stdin:
    verb, _, words = step.rstrip("\n").partition(" ")
    end = time.monotonic() + PATIENCE
    if verb == "type":
        os.write(terminal, words.encode() + b"\r")
    if verb == "keys":
        os.write(terminal, words.encode().decode("unicode_escape").encode("latin-1"))
    while verb == "see" and words not in shown[place:]:
        if over or time.monotonic() > end:
            os.kill(pid, signal.SIGKILL)
            sys.exit("never came: %s\n%s" % (words, shown[-3000:]))
        read()
    if verb == "see":
        place = shown.index(words, place) + len(words)
        print("saw", words)
end = time.monotonic() + PATIENCE
while not over:
    if time.monotonic() > end:
        os.kill(pid, signal.SIGKILL)
        sys.exit("it does not end\n%s" % shown[-3000:])
    read()
print("exit code", os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
