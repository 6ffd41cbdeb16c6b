// What a judge says of tests, and that a signal ends them.
#pragma once
#include "mend.hpp"

namespace mendjudge {

constexpr std::size_t MOST_CHARS = 600;

/// At most `most` characters on one line; the middle goes first.
std::string shortened(const std::string& text, std::size_t most);
/// As JSON. In text that is not UTF-8, bytes outside ASCII become their numbers.
std::string json(const std::string& text);
/// Of a signal that is being handled.
const char* nameOf(int signal);
/// Of a program that does what it may not: on a stack of its own.
void catchSignals(void (*handle)(int));

}  // namespace mendjudge
