"""Follows one call of a callback in gdb, an instruction at a time. Prints a line for each function:
the number of its instructions, a tab, its library, a tab, and its name.

The first stop is the marker of `single_call.erl`, the second is the NIF that the VM calls next. The
other threads of the VM stand still from the marker on, so that the library does not measure the
debugger's time."""

import bisect
import collections
import os
import re
import subprocess

import gdb

MARKER = "os_getpid_0"
CALLBACK = "otp_bridge::runtime::entry::callback"
MOST = 100_000


def run():
    for command in ["set pagination off", "set confirm off", "set follow-fork-mode parent",
                    "handle all nostop noprint pass", "handle SIGTRAP stop nopass"]:
        gdb.execute(command, to_string=True)
    gdb.Breakpoint(MARKER)
    gdb.execute("run", to_string=True)
    library, functions = symbols()
    address = next(it for it, name in functions if re.sub("::h[0-9a-f]+$", "", name) == CALLBACK)
    gdb.Breakpoint(f"*{address}")
    gdb.execute("set scheduler-locking on", to_string=True)
    gdb.execute("continue", to_string=True)
    for (origin, function), count in follow(library, functions).most_common():
        print(f"{count}\t{origin}\t{function}")
    gdb.execute("kill", to_string=True)


def symbols():
    """Returns the library's file, and the address and name of each of its functions."""
    wanted = os.environ["LIBRARY"]
    with open(f"/proc/{gdb.selected_inferior().pid}/maps") as maps:
        fields = [line.split() for line in maps]
    of_library = [it for it in fields if len(it) > 5 and os.path.basename(it[5]).startswith(wanted)]
    start = min(int(it[0].split("-")[0], 16) - int(it[2], 16) for it in of_library)
    file = of_library[0][5]
    functions = []
    for line in subprocess.check_output(["nm", "-C", file], text=True).splitlines():
        parts = line.split(" ", 2)
        if len(parts) == 3 and parts[0] and parts[1] in "tTwW":
            functions.append((int(parts[0], 16) + start, parts[2]))
    return file, sorted(functions)


def follow(library, functions):
    """Counts the instructions of each function until the call returns."""
    addresses = [address for address, _ in functions]
    end = int(gdb.parse_and_eval("*(unsigned long *)$rsp"))
    counts = collections.Counter()
    known = {}
    for _ in range(MOST):
        here = int(gdb.parse_and_eval("(unsigned long)$pc"))
        if here == end:
            return counts
        if here not in known:
            known[here] = function_at(here, library, functions, addresses)
        counts[known[here]] += 1
        gdb.execute("stepi", to_string=True)
    raise SystemExit("the call did not return")


def function_at(address, library, functions, addresses):
    file = gdb.current_progspace().solib_name(address)
    if file is not None and os.path.realpath(file) == os.path.realpath(library):
        return "library", functions[bisect.bisect_right(addresses, address) - 1][1]
    text = gdb.execute(f"info symbol {address}", to_string=True)
    return "VM" if file is None else os.path.basename(file), text.split(" in ")[0].split(" + ")[0].strip()


run()
