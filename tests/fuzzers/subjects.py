"""All fuzzers."""

from tests.fuzzers import calls, configs, files, names, records, starts, wire
from tests.fuzzers.driver import Fuzzer

FUZZERS: list[Fuzzer] = [
    fuzzer for subject in (starts, records, names, configs, files, wire, calls) for fuzzer in subject.FUZZERS
]
