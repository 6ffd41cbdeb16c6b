// The confined process of a program: answers its judge's calls with plain values. It shares its process with the program, so
// nothing that it says is believed. Its channel is descriptor 3. A program's own `main` is not called.
#include <cxxabi.h>
#include <unistd.h>

#include "channel.hpp"

namespace {

constexpr int CHANNEL = 3;
constexpr std::size_t MOST_CHARS = 300;

void raised(mendjudge::Writer& reply, const char* type, const char* message) {
  reply.bytes.push_back('r');
  reply.text(type, std::min(std::strlen(type), MOST_CHARS));
  reply.text(message, std::min(std::strlen(message), MOST_CHARS));
}

std::string nameOf(const std::exception& thrown) {
  int status = 0;
  char* plain = abi::__cxa_demangle(typeid(thrown).name(), nullptr, nullptr, &status);
  std::string name = plain ? plain : typeid(thrown).name();
  std::free(plain);
  return name;
}

/// The number of the question stands before the answer.
std::string answered(const std::string& question, std::size_t number) {
  std::string head = question.substr(0, number);
  mendjudge::Reader in(question.data() + number, question.size() - number);
  mendjudge::Writer reply;
  try {
    reply.bytes = head + 'v';
    mendjudge::entry(in, reply);
    if (reply.bytes.size() > mendjudge::MOST_BYTES) throw mendjudge::Unfit{"a value of more than 8 MB"};
    return reply.bytes;
  } catch (const mendjudge::Unfit& problem) {
    reply.bytes = head + 'o';
    reply.text(problem.why.data(), std::min(problem.why.size(), MOST_CHARS));
  } catch (const std::exception& thrown) {
    reply.bytes = head;
    raised(reply, nameOf(thrown).c_str(), thrown.what());
  } catch (...) {
    reply.bytes = head;
    raised(reply, "", "");
  }
  return reply.bytes;
}

}  // namespace

extern "C" int __wrap_main(int, char**) {
  constexpr std::size_t NUMBER = 8;
  std::string question;
  while (mendjudge::receive(CHANNEL, question) == mendjudge::Heard::MESSAGE) {
    if (question.size() < NUMBER + 1) break;
    char kind = question[NUMBER];
    if (kind == 'e') break;
    std::string reply = question.substr(0, NUMBER) + 'l';
    if (kind == 'c') {
      question.erase(NUMBER, 1);
      reply = answered(question, NUMBER);
    }
    if (!mendjudge::send(CHANNEL, reply)) break;
  }
  std::fflush(nullptr);
  std::cout.flush();
  ::_exit(0);
}
