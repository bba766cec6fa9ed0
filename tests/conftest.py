"""For all tests."""

from tests import compile_clock

compile_clock.install()
