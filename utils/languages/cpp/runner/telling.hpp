// What a judge says of tests, and that a signal ends them.
#pragma once
#include "mend.hpp"

namespace mendjudge {

constexpr std::size_t MOST_CHARS = 600;

/// At most `most` characters on one line; the middle goes first.
std::string shortened(const std::string& text, std::size_t most);
/// As JSON. Bytes that are no ASCII are told by their numbers where they are no UTF-8.
std::string json(const std::string& text);
/// Of a signal that is being handled.
const char* nameOf(int signal);
/// Of a program that does what it may not: on a stack of its own.
void catchSignals(void (*handle)(int));

}  // namespace mendjudge
