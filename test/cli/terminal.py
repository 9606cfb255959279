"""Runs a command in a terminal of its own: `terminal.py COLUMNS ROWS COMMAND...`. Standard input is what is typed,
standard output what is drawn; a line "COLUMNS ROWS" on descriptor 3 changes the size."""

import fcntl, os, pty, select, struct, sys, termios

SIZE_INPUT = 3


def resize(fd, columns, rows):
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))


columns, rows, *command = sys.argv[1:]
pid, fd = pty.fork()
if pid == 0:
    os.close(SIZE_INPUT)
    resize(1, columns, rows)
    os.execvp(command[0], command)
inputs = [0, SIZE_INPUT, fd]
while True:
    ready = select.select(inputs, [], [])[0]
    if fd in ready:
        try:
            data = os.read(fd, 65536)
        except OSError:
            break
        if not data:
            break
        os.write(1, data)
    for source in (0, SIZE_INPUT):
        if source not in ready:
            continue
        data = os.read(source, 65536)
        if not data:
            inputs.remove(source)
        elif source == SIZE_INPUT:
            resize(fd, *data.decode().splitlines()[-1].split())
        else:
            os.write(fd, data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) % 256)
