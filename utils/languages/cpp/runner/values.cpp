// Plain values as bytes and back. What comes from a program is hostile: all that is read is checked.
#include "mend.hpp"

namespace mendjudge {

void Writer::tag(char tag) {
  if (bytes.size() > MOST_BYTES) throw Unfit{"a value of more than 8 MB"};
  bytes.push_back(tag);
}

void Writer::whole(char name, std::uint64_t value) {
  tag(name);
  for (int i = 0; i < 64; i += 8) bytes.push_back(static_cast<char>(value >> i));
}

void Writer::real(double value) {
  std::uint64_t bits;
  std::memcpy(&bits, &value, sizeof bits);
  whole('f', bits);
}

void Writer::several(char name, std::size_t count) {
  if (count > MOST_ITEMS) throw Unfit{"a value of more than a million items"};
  tag(name);
  for (int i = 0; i < 32; i += 8) bytes.push_back(static_cast<char>(count >> i));
}

void Writer::text(const char* data, std::size_t size) {
  if (size > MOST_BYTES) throw Unfit{"a text of more than 8 MB"};
  tag('s');
  for (int i = 0; i < 32; i += 8) bytes.push_back(static_cast<char>(size >> i));
  bytes.append(data, size);
}

void Reader::need(std::size_t size) {
  if (static_cast<std::size_t>(end - at) < size) throw Malformed{};
}

char Reader::tag() {
  need(1);
  return *at++;
}

std::uint64_t Reader::whole() {
  need(8);
  std::uint64_t value = 0;
  for (int i = 0; i < 64; i += 8) value |= static_cast<std::uint64_t>(static_cast<unsigned char>(*at++)) << i;
  return value;
}

std::uint32_t Reader::count() {
  need(4);
  std::uint32_t value = 0;
  for (int i = 0; i < 32; i += 8) value |= static_cast<std::uint32_t>(static_cast<unsigned char>(*at++)) << i;
  return value;
}

std::string Reader::text() {
  if (tag() != 's') throw Unfit{"of another type than the declared one"};
  std::size_t size = count();
  need(size);
  std::string found(at, size);
  at += size;
  return found;
}

Number number(Reader& in) {
  char tag = in.tag();
  if (!std::strchr("bciuf", tag) || tag == 0) throw Unfit{"of another type than the declared one"};
  std::uint64_t bits = in.whole();
  if (tag == 'f') {
    double real;
    std::memcpy(&real, &bits, sizeof real);
    return {Number::REAL, 0, 0, real};
  }
  if (tag == 'c') return {Number::SIGNED, static_cast<std::int64_t>(static_cast<char>(bits)), 0, 0};
  if (tag == 'i') return {Number::SIGNED, static_cast<std::int64_t>(bits), 0, 0};
  return {Number::UNSIGNED, 0, bits, 0};
}

const char* keptText(std::string text) {
  static std::list<std::string> kept;
  kept.push_back(std::move(text));
  return kept.back().c_str();
}

static std::string quoted(const std::string& text, char quote) {
  std::string out(1, quote);
  for (char one : text) {
    if (one == quote || one == '\\') out += '\\';
    if (one == '\n')
      out += "\\n";
    else
      out += one;
  }
  return out + quote;
}

static void show(Reader& in, std::string& out, std::size_t most) {
  if (++in.depth > MOST_DEPTH) throw Malformed{};
  char tag = in.tag();
  if (std::strchr("bciuf", tag) && tag != 0) {
    std::uint64_t bits = in.whole();
    double real;
    std::memcpy(&real, &bits, sizeof real);
    char text[40];
    if (tag == 'f') {
      std::snprintf(text, sizeof text, "%.7g", real);
      out += text;
    } else if (tag == 'b') {
      out += bits ? "true" : "false";
    } else if (tag == 'c') {
      out += quoted(std::string(1, static_cast<char>(bits)), '\'');
    } else {
      out += tag == 'i' ? std::to_string(static_cast<std::int64_t>(bits)) : std::to_string(bits);
    }
  } else if (tag == 's') {
    in.at--;
    out += quoted(in.text(), '"');
  } else if (tag == 'v') {
    out += "nothing";
  } else if (tag == 'a') {
    std::size_t kind = in.count();
    kind == MOST_ITEMS ? void(out += "{}") : show(in, out, most);
  } else {
    std::size_t count = in.count();
    if (!std::strchr("lmot", tag) || tag == 0) throw Malformed{};
    if (tag == 'o' && count == 0) out += "nullopt";
    if (tag != 'o') out += '{';
    for (std::size_t i = 0; i < count; i++) {
      std::string rest;
      if (i > 0) rest += ", ";
      if (tag == 'm') {
        rest += '{';
        show(in, rest, most);
        rest += ", ";
      }
      show(in, rest, most);
      if (tag == 'm') rest += '}';
      if (out.size() < most) out += rest;
    }
    if (tag != 'o') out += '}';
  }
  in.depth--;
}

std::string shown(Reader& in, std::size_t most) {
  std::string out;
  show(in, out, 4 * most);
  return out;
}

MEND_USUAL()

}  // namespace mendjudge

MEND_VECTORS()
