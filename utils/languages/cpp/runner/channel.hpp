// Messages with their length in front over a socket: the frames of `python/wire/frames.py`.
#pragma once
#include "mend.hpp"

namespace mendjudge {

/// Largest message in bytes between an untrusted program and its judge.
constexpr std::size_t LIMIT = MOST_BYTES + 4096;

enum class Heard { MESSAGE, CLOSED, TOO_LONG };

Heard receive(int descriptor, std::string& body);
/// False where the other end is gone.
bool send(int descriptor, const std::string& body);

}  // namespace mendjudge
