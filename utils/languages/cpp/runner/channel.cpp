#include "channel.hpp"

#include <errno.h>
#include <unistd.h>

namespace mendjudge {

static bool exactly(int descriptor, char* into, std::size_t size) {
  while (size > 0) {
    ssize_t got = ::read(descriptor, into, size);
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    into += got;
    size -= static_cast<std::size_t>(got);
  }
  return true;
}

Heard receive(int descriptor, std::string& body) {
  unsigned char head[4];
  if (!exactly(descriptor, reinterpret_cast<char*>(head), 4)) return Heard::CLOSED;
  std::size_t size = head[0] | head[1] << 8 | head[2] << 16 | static_cast<std::size_t>(head[3]) << 24;
  if (size > LIMIT) return Heard::TOO_LONG;
  body.resize(size);
  return exactly(descriptor, body.data(), size) ? Heard::MESSAGE : Heard::CLOSED;
}

bool send(int descriptor, const std::string& body) {
  std::string frame;
  for (int i = 0; i < 32; i += 8) frame.push_back(static_cast<char>(body.size() >> i));
  frame += body;
  const char* at = frame.data();
  std::size_t left = frame.size();
  while (left > 0) {
    ssize_t sent = ::write(descriptor, at, left);
    if (sent < 0 && errno == EINTR) continue;
    if (sent <= 0) return false;
    at += sent;
    left -= static_cast<std::size_t>(sent);
  }
  return true;
}

}  // namespace mendjudge
