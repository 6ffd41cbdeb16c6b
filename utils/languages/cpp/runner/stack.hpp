// Whether an access to memory failed because the stack cannot grow any more: recursion goes too deep, or does not end.
#pragma once
#include <signal.h>
#include <sys/resource.h>

#include <cstdint>

namespace mendjudge {

constexpr char STACK_OVERFLOWED[] = "the stack overflowed";

/// An address near the beginning of the first thread's stack; set before `main`.
static std::uintptr_t stackBegins = 0;

__attribute__((constructor(101))) static void rememberStack() {
  stackBegins = reinterpret_cast<std::uintptr_t>(__builtin_frame_address(0));
}

/// True of a failed access (SIGSEGV) at the place where the system lets the first thread's stack end. May be called in a
/// signal's handler. False of other threads, and where the stack has no limit.
inline bool isPastStack(const siginfo_t& failed) {
  /// What lies before `stackBegins`, and how far one call can reach beyond the end.
  constexpr std::uintptr_t NEAR = 1 << 20;
  rlimit most{};
  if (failed.si_signo != SIGSEGV || failed.si_code <= 0 || ::getrlimit(RLIMIT_STACK, &most) != 0) return false;
  if (most.rlim_cur == RLIM_INFINITY) return false;
  std::uintptr_t depth = stackBegins - reinterpret_cast<std::uintptr_t>(failed.si_addr);
  return depth + NEAR >= most.rlim_cur && depth <= most.rlim_cur + NEAR;
}

}  // namespace mendjudge
