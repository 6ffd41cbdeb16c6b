// Judges one job: runs its tests in this process, which is confined, against a program at the other end of a socket. Every
// reply is hostile until it is read. Descriptors: 3 of the supervisor, which takes the verdict, 4 of the program.
#include <poll.h>
#include <sys/random.h>
#include <unistd.h>

#include "channel.hpp"
#include "messages.hpp"

extern "C" int __real_main(int, char**);

namespace {

using namespace mendjudge;

constexpr int CANDIDATE = 4;
constexpr std::size_t SHOWN = 200;
constexpr std::size_t NUMBER = 8;

long calls = 0;
bool isLoaded = false;
bool isOver = false;
std::string entryName, calledName, calledWith, callEnded;
/// The reply that is being read: the value in it is shown.
std::string reply;

/// Says the verdict, with the last call. @param why where neither `what` nor the call says it
[[noreturn]] void finish(const char* outcome, const std::string& what, const std::string& why = "") {
  isOver = true;
  const char* loaded = isLoaded ? "true" : "false";
  report({"", outcome, loaded, std::to_string(calls), "0", "0", what, calledName, calledWith, callEnded, why});
}

[[noreturn]] void forged(const std::string& what) { finish("forged", "the program broke the protocol: it sent " + what); }

[[noreturn]] void failedBy(const std::string& ended) {
  callEnded = ended;
  finish("failed", "");
}

std::string number() {
  std::string made(NUMBER, '\0');
  if (::getrandom(made.data(), NUMBER, 0) != static_cast<ssize_t>(NUMBER)) finish("sandbox_error", "there are no random numbers");
  return made;
}

/// Sends, and waits for a reply with the same number, which could not be known before.
void exchange(const std::string& body) {
  std::string asked = number();
  // If the program is gone, the supervisor explains why: it knows the exit status.
  if (!mendjudge::send(CANDIDATE, asked + body)) finish("crashed", "");
  mendjudge::Heard heard = mendjudge::receive(CANDIDATE, reply);
  if (heard == mendjudge::Heard::CLOSED) finish("crashed", "");
  if (heard == mendjudge::Heard::TOO_LONG) forged("a message that is too long");
  if (reply.size() < NUMBER + 1 || reply.compare(0, NUMBER, asked) != 0) forged("a message of no known form");
}

void load() {
  exchange("h");
  if (reply[NUMBER] != 'l') forged("a message of no known form");
  isLoaded = true;
}

/// The program is still there, and has nothing more to say.
void end() {
  pollfd waiting{CANDIDATE, POLLIN, 0};
  if (::poll(&waiting, 1, 0) > 0) {
    std::string more;
    if (mendjudge::receive(CANDIDATE, more) == mendjudge::Heard::CLOSED) finish("crashed", "");
    forged("more than it was asked for");
  }
  if (!mendjudge::send(CANDIDATE, number() + 'e')) finish("crashed", "");
}

/// What tests do with a value may need more of it than there is.
void onSignal(int signal) {
  finish("failed", std::string("the tests were ended by ") + nameOf(signal));
}

[[noreturn]] void over(int code) {
  end();
  if (code != 0) finish("failed", "the tests ended with " + std::to_string(code));
  if (calls == 0 && !entryName.empty()) finish("failed", "the tests never called `" + entryName + "`");
  finish("passed", "");
}

void onExit(int code, void*) {
  if (!isOver) over(code);
}

template <class T>
void throwAs(const std::string& type, const char* name, const std::string& message) {
  if (type == name) throw T(message);
}

[[noreturn]] void rethrow(const std::string& type, const std::string& message) {
  throwAs<std::invalid_argument>(type, "std::invalid_argument", message);
  throwAs<std::out_of_range>(type, "std::out_of_range", message);
  throwAs<std::domain_error>(type, "std::domain_error", message);
  throwAs<std::length_error>(type, "std::length_error", message);
  throwAs<std::range_error>(type, "std::range_error", message);
  throwAs<std::overflow_error>(type, "std::overflow_error", message);
  throwAs<std::underflow_error>(type, "std::underflow_error", message);
  throwAs<std::logic_error>(type, "std::logic_error", message);
  throw std::runtime_error(message);
}

}  // namespace

namespace mendjudge {

Reader ask(const char* name, const Writer& arguments, std::size_t count) {
  calls++;
  Reader own(arguments.bytes.data(), arguments.bytes.size());
  std::string list;
  for (std::size_t i = 0; i < count; i++) list += (i > 0 ? ", " : "") + shown(own, SHOWN);
  calledName = name;
  calledWith = list;
  callEnded = "did not return";
  exchange('c' + arguments.bytes);
  Reader in(reply.data() + NUMBER, reply.size() - NUMBER);
  try {
    switch (in.tag()) {
      case 'v':
        return in;
      case 'o':
        failedBy("returned " + in.text() + ", which is no plain value");
      case 'r': {
        std::string type = in.text(), message = in.text();
        callEnded = "threw " + (type.empty() ? "what is no std::exception" : type) + (message.empty() ? "" : ": " + message);
        rethrow(type, message);
      }
      default:
        malformed();
    }
  } catch (const Malformed&) {
    malformed();
  } catch (const Unfit&) {
    malformed();
  }
}

static std::string valueShown() {
  Reader again(reply.data() + NUMBER + 1, reply.size() - NUMBER - 1);
  return shown(again, SHOWN);
}

void taken(const Reader&) { callEnded = "returned " + valueShown(); }

void notPlain(const Unfit& problem) {
  finish("sandbox_error", "the tests pass " + problem.why + ", which cannot cross between processes");
}

void unfit(const Unfit& problem) {
  std::string value;
  try {
    value = valueShown();
  } catch (const Malformed&) {
    malformed();
  }
  failedBy("returned " + value + ", which is " + problem.why);
}

void malformed() { forged("a value of no known form"); }

void check(bool holds, const char* text, int line) {
  if (!holds) finish("failed", "line " + std::to_string(line) + ": " + text);
}

}  // namespace mendjudge

extern "C" int __wrap_main(int count, char** words) {
  entryName = count > 1 ? words[1] : "";
  catchSignals(onSignal);
  ::on_exit(onExit, nullptr);
  load();
  try {
    over(__real_main(1, words));
  } catch (const std::exception& thrown) {
    finish("failed", "", callEnded.rfind("threw ", 0) == 0 ? "" : thrown.what());
  } catch (...) {
    finish("failed", "the tests threw");
  }
}
