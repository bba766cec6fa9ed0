"""Interrupts are raised where they do no harm."""

import os
import signal
import threading

import pytest
from ks_arena.work.interrupts import held_interrupts


def interrupt() -> None:
    os.kill(os.getpid(), signal.SIGINT)


def test_an_interrupt_waits_for_the_check() -> None:
    before = signal.getsignal(signal.SIGINT)
    with held_interrupts() as check:
        check()
        interrupt()  # and nothing happens
        with pytest.raises(KeyboardInterrupt):
            check()
    assert signal.getsignal(signal.SIGINT) is before


def test_a_second_interrupt_does_not_wait() -> None:
    with held_interrupts():
        interrupt()
        with pytest.raises(KeyboardInterrupt):
            interrupt()


def test_other_threads_are_left_alone() -> None:
    before = signal.getsignal(signal.SIGINT)
    seen = []

    def work() -> None:
        with held_interrupts() as check:
            seen.append(signal.getsignal(signal.SIGINT))
            check()

    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
    assert seen == [before]
