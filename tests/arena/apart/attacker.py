"""A program that speaks the protocol of players and then does what its argument says."""

import json
import os
import sys
import time

MODES = {
    "none": '{"type":"try","try":null}',
    "text": '{"type":"try","try":"e9e10"}',
    "fraction": '{"type":"try","try":3.7}',
    "list": '{"type":"try","try":[1,2]}',
    "true": '{"type":"try","try":true}',
    "huge": '{"type":"try","try":' + "9" * 5000 + "}",
    "garbage": "\x80\x04cos\nsystem\n(S'touch HERE'\ntR.",
    "deep": "[" * 60_000,
    "array": "[1]",
    "outside": '{"type":"try","try":1859}',
}


def say(message: object) -> None:
    sys.stdout.write((message if isinstance(message, str) else json.dumps(message)) + "\n")
    sys.stdout.flush()


def attack(mode: str, told: dict[str, list[int]]) -> None:
    if mode in MODES:
        say(MODES[mode])
    elif mode == "sleep":
        time.sleep(600)
    elif mode == "megabytes":
        os.write(1, b"x" * 10_000_000)
    elif mode == "exit":
        os._exit(3)
    elif mode == "forks":
        for _ in range(100):
            if os.fork() == 0:
                os.setsid()
                os.execvp("sleep", ["sleep", "987"])
        time.sleep(600)
    elif mode == "descriptors":  # whatever was inherited
        for number in [*range(3, 64), 1]:
            try:
                os.write(number, b"\x80\x04garbage\n")
            except OSError:
                continue
        time.sleep(600)
    elif mode == "unasked":
        say({"type": "try", "try": told["numbers"][0]})
        say({"type": "try", "try": told["numbers"][0]})
    elif mode == "illegal":
        say({"type": "try", "try": 0})
    else:  # write:PATH, a file outside of its folder
        try:
            with open(mode, "w") as file:
                file.write("was here")
        except OSError:
            pass
        say({"type": "try", "try": told["numbers"][0]})


def main() -> None:
    for line in sys.stdin:
        told = json.loads(line)
        if told["type"] == "hello":
            say({"type": "hello", "protocol": 1, "name": "attacker", "wants": ["numbers"]})
        elif told["type"] == "begin":
            say({"type": "ready"})
        elif told["type"] == "choose":
            attack(sys.argv[1], told)


main()
