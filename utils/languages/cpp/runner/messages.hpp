// What a judge says of tests, and that a signal ends them.
#pragma once
#include "mend.hpp"

namespace mendjudge {

/// Says a verdict by the fields of `supervision/outcome.py`, and ends: nothing that follows can change it.
[[noreturn]] void report(std::initializer_list<std::string> fields);
/// Of a signal that is being handled.
const char* nameOf(int signal);
/// Of a program that does what it may not: on a stack of its own.
void catchSignals(void (*handle)(int));

}  // namespace mendjudge
