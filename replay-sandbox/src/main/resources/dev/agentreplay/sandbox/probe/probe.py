# The attempts of probe.pl, for machines without Perl: python3 probe.py NAME in|out
import ctypes
import errno
import fcntl
import os
import platform
import socket
import struct
import sys

NAME, SIDE = sys.argv[1:3]
NEW_USER = 0x10000000
GET_SECCOMP = 21
CALLS = {
    "x86_64": {"getpid": 39, "prctl": 157, "clone": 56, "unshare": 272, "clone3": 435},
    "aarch64": {"getpid": 172, "prctl": 167, "clone": 220, "unshare": 97, "clone3": 435},
}
libc = ctypes.CDLL(None, use_errno=True)


def line(*parts):
    print("\t".join(parts), flush=True)


def family(aspect, number, kind):
    try:
        socket.socket(number, kind, 0).close()
        line("reached", aspect, "socket opened")
    except OSError as e:
        line("blocked", aspect, "socket: " + str(e.strerror))


def abstract():
    try:
        client = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    except OSError as e:
        return "blocked", "socket: " + str(e.strerror)
    try:
        client.connect("\0" + NAME)
        return "reached", "connected"
    except OSError as e:
        return "blocked", "connect: " + str(e.strerror)


def without_terminal(reason):
    """No terminal can be opened: a filter still answers before the kernel finds a file is none."""
    errors = []
    for request in (0x5413, 0x5412):
        try:
            fcntl.ioctl(1, request, bytes(8))
        except OSError as e:
            errors.append(e)
    if [e.errno for e in errors] == [errno.ENOTTY, errno.EPERM]:
        line("works", "terminal", "")
        return "blocked", "TIOCSTI: " + str(errors[1].strerror)
    return "blocked", reason


def terminal():
    """A terminal of its own as the controlling one, and a character that is put into it."""
    try:
        master = os.open("/dev/ptmx", os.O_RDWR | os.O_NOCTTY)
        fcntl.ioctl(master, 0x40045431, struct.pack("i", 0))
        number = fcntl.ioctl(master, 0x80045430, struct.pack("i", 0))
    except OSError as e:
        return without_terminal("ptmx: " + str(e.strerror))
    path = "/dev/pts/%d" % struct.unpack("i", number)
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        found = "blocked"
        try:
            os.setsid()
            slave = os.open(path, os.O_RDWR)
            fcntl.ioctl(slave, 0x5413, bytes(8))
            os.write(writer, b"works\n")
            fcntl.ioctl(slave, 0x5412, b"x")
            found = "reached TIOCSTI"
        except OSError as e:
            found = "blocked TIOCSTI: " + str(e.strerror)
        os.write(writer, (found + "\n").encode())
        os._exit(0)
    os.close(writer)
    found = ["blocked", "no answer"]
    for text in os.fdopen(reader):
        if text == "works\n":
            line("works", "terminal", "")
        else:
            found = text.strip().split(" ", 1)
    os.waitpid(child, 0)
    return found


def system_call(number, *arguments):
    result = libc.syscall(ctypes.c_long(number), *arguments)
    return result, os.strerror(ctypes.get_errno())


def namespaces(calls):
    if system_call(calls["getpid"])[0] == os.getpid():
        line("works", "system_call", "")
    line("seen", "seccomp", str(system_call(calls["prctl"], GET_SECCOMP, 0, 0, 0, 0)[0]))
    arguments = struct.pack("8Q", NEW_USER, 0, 0, 0, 17, 0, 0, 0)
    zero = ctypes.c_long(0)
    attempts = {
        "clone": (ctypes.c_long(NEW_USER | 17), zero, zero, zero, zero),
        "clone3": (arguments, ctypes.c_long(len(arguments))),
        "unshare": (ctypes.c_long(NEW_USER),),
    }
    for attempt, values in attempts.items():
        reader, writer = os.pipe()
        child = os.fork()
        if child == 0:
            result, error = system_call(calls[attempt], *values)
            if attempt != "unshare" and result == 0:
                os._exit(0)
            os.write(writer, b"reached" if result >= 0 else ("blocked: " + error).encode())
            os._exit(0)
        os.close(writer)
        text = os.fdopen(reader).read()
        os.waitpid(child, 0)
        line("reached" if text == "reached" else "blocked", "nested_namespaces",
             attempt + " " + text)


if SIDE == "out":
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listener.bind("\0" + NAME)
    listener.listen(5)

try:
    socket.socket(socket.AF_INET, socket.SOCK_STREAM).close()
    line("works", "socket", "")
except OSError as e:
    line("seen", "socket", str(e))
kind, detail = abstract()
line(kind, "abstract_socket", detail)
family("netlink", 16, socket.SOCK_RAW)
family("vsock", 40, socket.SOCK_STREAM)
kind, detail = terminal()
line(kind, "terminal", detail)
try:
    with open("/proc/sys/dev/tty/legacy_tiocsti") as setting:
        line("seen", "legacy_tiocsti", setting.read().strip())
except OSError:
    pass
if platform.machine() in CALLS:
    namespaces(CALLS[platform.machine()])
else:
    line("seen", "nested_namespaces", "no numbers of system calls for " + platform.machine())
line("seen", "end", "")
if SIDE == "out":
    line("seen", "ready", "")
    sys.stdin.read()
