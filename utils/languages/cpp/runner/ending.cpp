// What a program says of its end, where its exit status says too little.
#include <csignal>
#include <cstdlib>
#include <unistd.h>

#include "stack.hpp"

namespace {

constexpr int ABORTED = 128 + SIGABRT;

/// The first process of a box gets no signal that it does not handle: `abort` would end it as a wrong access to memory does.
void onAbort(int) {
  std::signal(SIGABRT, SIG_DFL);
  ::raise(SIGABRT);
  ::_exit(ABORTED);
}

/// After this handler the failed access is repeated, and ends the process as it would without a handler.
void onWrongAccess(int signal, siginfo_t* failed, void*) {
  std::signal(signal, SIG_DFL);
  if (failed->si_code <= 0) ::raise(signal);
  if (!mendjudge::isPastStack(*failed)) return;
  ::write(STDERR_FILENO, mendjudge::STACK_OVERFLOWED, sizeof mendjudge::STACK_OVERFLOWED - 1);
  ::write(STDERR_FILENO, "\n", 1);
}

__attribute__((constructor(102))) void handle() {
  std::signal(SIGABRT, onAbort);
  static char stack[1 << 14];
  stack_t other{};
  other.ss_sp = stack;
  other.ss_size = sizeof stack;
  struct sigaction action {};
  action.sa_sigaction = onWrongAccess;
  action.sa_flags = SA_ONSTACK | SA_SIGINFO;
  if (::sigaltstack(&other, nullptr) == 0) ::sigaction(SIGSEGV, &action, nullptr);
}

}  // namespace
