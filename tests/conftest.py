"""For all tests."""

import gc

from hypothesis import settings

from tests import compile_clock

gc.set_threshold(50_000)  # the compiler keeps most of what it makes: looking through it often is wasted time
compile_clock.install()
settings.register_profile("shared machine", deadline=None)  # a slow moment says nothing of the code
settings.load_profile("shared machine")
