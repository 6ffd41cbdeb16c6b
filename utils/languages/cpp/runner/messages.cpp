#include "messages.hpp"

#include <signal.h>

#include "stack.hpp"

namespace mendjudge {

namespace {

void (*handler)(int) = nullptr;
bool isOverflow = false;

void onSignal(int signal, siginfo_t* told, void*) {
  isOverflow = isPastStack(*told);
  handler(signal);
}

}  // namespace

std::string shortened(const std::string& text, std::size_t most) {
  std::string line;
  for (char one : text) {
    bool blank = std::isspace(static_cast<unsigned char>(one));
    if (!blank) line += one;
    if (blank && !line.empty() && line.back() != ' ') line += ' ';
  }
  while (!line.empty() && line.back() == ' ') line.pop_back();
  if (line.size() <= most) return line;
  std::size_t tail = most / 4;
  return line.substr(0, most - tail - 5) + " ... " + line.substr(line.size() - tail);
}

std::string json(const std::string& text) {
  std::string out = "\"";
  for (std::size_t i = 0; i < text.size(); i++) {
    unsigned char one = static_cast<unsigned char>(text[i]);
    int more = one >= 0xf0 ? 3 : one >= 0xe0 ? 2 : one >= 0xc2 ? 1 : 0;
    bool whole = one >= 0xc2 && one <= 0xf4 && i + more < text.size();
    for (int k = 1; whole && k <= more; k++) whole = (static_cast<unsigned char>(text[i + k]) & 0xc0) == 0x80;
    char escaped[16];
    if (one == '"' || one == '\\') {
      out += '\\';
      out += text[i];
    } else if (one >= ' ' && one < 0x7f) {
      out += text[i];
    } else if (whole) {
      unsigned code = one & (0x3f >> more);
      for (int k = 1; k <= more; k++) code = code << 6 | (static_cast<unsigned char>(text[i + k]) & 0x3f);
      bool surrogate = code >= 0xd800 && code < 0xe000;
      if (code >= 0x10000) {
        code -= 0x10000;
        std::snprintf(escaped, sizeof escaped, "\\u%04x\\u%04x", 0xd800 + (code >> 10 & 0x3ff), 0xdc00 + (code & 0x3ff));
        out += escaped;
      } else {
        std::snprintf(escaped, sizeof escaped, "\\u%04x", surrogate ? 0xfffd : code);
        out += escaped;
      }
      i += static_cast<std::size_t>(more);
    } else {
      std::snprintf(escaped, sizeof escaped, one < ' ' ? "\\u%04x" : "\\\\x%02x", one);
      out += escaped;
    }
  }
  return out + '"';
}

const char* nameOf(int signal) {
  switch (signal) {
    case SIGSEGV: return isOverflow ? "SIGSEGV (the stack overflowed)" : "SIGSEGV";
    case SIGABRT: return "SIGABRT";
    case SIGFPE: return "SIGFPE";
    case SIGBUS: return "SIGBUS";
    default: return "SIGILL";
  }
}

void catchSignals(void (*handle)(int)) {
  static char stack[1 << 16];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  ::sigaltstack(&other, nullptr);
  handler = handle;
  struct sigaction action {};
  action.sa_sigaction = onSignal;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  for (int signal : {SIGSEGV, SIGABRT, SIGFPE, SIGBUS, SIGILL}) ::sigaction(signal, &action, nullptr);
}

}  // namespace mendjudge
