// What programs and tests are compiled with: the headers of the reference harness (IMPORT_HELPER of bigcode's humanevalpack),
// plain values as bytes, the stub that tests call, and what answers it. All programs share one precompiled form of it.
#ifndef MEND_HPP
#define MEND_HPP
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <math.h>
#include <numeric>
#include <stdio.h>
#include <vector>
#include <set>
#include <map>
#include <queue>
#include <stack>
#include <list>
#include <deque>
#if __has_include(<boost/any.hpp>)
#include <boost/any.hpp>
#endif
#include <string>
#include <climits>
#include <cstring>
#include <iostream>
#include <sstream>
#include <fstream>
#include <any>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
using namespace std;

namespace mendjudge {

/// Of a value with all that it holds; a message may have 8 MB.
constexpr std::size_t MOST_ITEMS = 1000000;
constexpr std::size_t MOST_BYTES = 8 << 20;
constexpr int MOST_DEPTH = 100;

/// A value cannot cross, or does not fit the type that is asked for. Its text follows "which is".
struct Unfit {
  std::string why;
};
/// Bytes that are not a value.
struct Malformed {};

// ---- to bytes: a tag, then little-endian numbers

class Writer {
 public:
  std::string bytes;

  void tag(char tag);
  void whole(char tag, std::uint64_t value);
  void real(double value);
  void text(const char* data, std::size_t size);
  void several(char tag, std::size_t count);
};

class Reader {
 public:
  Reader(const char* data, std::size_t size) : at(data), end(data + size) {}

  char tag();
  std::uint64_t whole();
  std::uint32_t count();
  std::string text();
  const char* at;
  const char* end;
  int depth = 0;

 private:
  void need(std::size_t size);
};

/// A number of any kind, as it crosses.
struct Number {
  enum { SIGNED, UNSIGNED, REAL } kind;
  std::int64_t whole;
  std::uint64_t natural;
  double real;
};
Number number(Reader& in);
/// A value as a person reads it, bounded.
std::string shown(Reader& in, std::size_t most);

template <class T, class = void>
struct IsMap : std::false_type {};
template <class T>
struct IsMap<T, std::void_t<typename T::key_type, typename T::mapped_type, decltype(std::declval<T&>().begin())>>
    : std::true_type {};
template <class T, class = void>
struct IsRange : std::false_type {};
template <class T>
struct IsRange<T, std::void_t<typename T::value_type, decltype(std::declval<T&>().begin()),
                              decltype(std::declval<T&>().insert(std::declval<T&>().end(), std::declval<typename T::value_type>()))>>
    : std::true_type {};
template <class T>
struct IsTuple : std::false_type {};
template <class... T>
struct IsTuple<std::tuple<T...>> : std::true_type {};
template <class A, class B>
struct IsTuple<std::pair<A, B>> : std::true_type {};
template <class T>
struct IsArray : std::false_type {};
template <class T, std::size_t N>
struct IsArray<std::array<T, N>> : std::true_type {};
template <class T>
struct IsOptional : std::false_type {};
template <class T>
struct IsOptional<std::optional<T>> : std::true_type {};
template <class T>
struct IsAny : std::false_type {};
template <>
struct IsAny<std::any> : std::true_type {};
#ifdef BOOST_ANY_INCLUDED
template <>
struct IsAny<boost::any> : std::true_type {};
#endif
template <class T>
struct Cannot : std::false_type {};

template <class T>
void put(Writer& out, const T& value);
template <class T>
T get(Reader& in);

// What an `any` may hold.
template <class Any>
struct Held {
  using types = std::tuple<int, double, float, char, bool, long, long long, unsigned, unsigned long, std::string, const char*,
                           std::list<Any>, std::vector<Any>, std::vector<int>, std::vector<double>, std::vector<std::string>>;
};

template <class Any, std::size_t I = 0>
void putAny(Writer& out, const Any& value) {
  using types = typename Held<Any>::types;
  if constexpr (I == std::tuple_size_v<types>) {
    throw Unfit{std::string("an object of ") + value.type().name()};
  } else {
    using T = std::tuple_element_t<I, types>;
    if (value.type() != typeid(T)) return putAny<Any, I + 1>(out, value);
    out.several('a', I);
    using std::any_cast;
#ifdef BOOST_ANY_INCLUDED
    using boost::any_cast;
#endif
    put(out, *any_cast<T>(&value));
  }
}

template <class Any, std::size_t I = 0>
Any getAny(Reader& in, std::size_t index) {
  using types = typename Held<Any>::types;
  if constexpr (I == std::tuple_size_v<types>) {
    throw Malformed{};
  } else {
    if (index != I) return getAny<Any, I + 1>(in, index);
    return Any(get<std::tuple_element_t<I, types>>(in));
  }
}

template <class T>
void put(Writer& out, const T& value) {
  if constexpr (std::is_same_v<T, bool>) {
    out.whole('b', value);
  } else if constexpr (std::is_same_v<T, char>) {
    out.whole('c', static_cast<unsigned char>(value));
  } else if constexpr (std::is_enum_v<T>) {
    out.whole('i', static_cast<std::uint64_t>(static_cast<std::int64_t>(value)));
  } else if constexpr (std::is_integral_v<T>) {
    out.whole(std::is_signed_v<T> ? 'i' : 'u', static_cast<std::uint64_t>(value));
  } else if constexpr (std::is_floating_point_v<T>) {
    out.real(static_cast<double>(value));
  } else if constexpr (std::is_convertible_v<const T&, std::string_view>) {
    if constexpr (std::is_pointer_v<T>)
      if (value == nullptr) throw Unfit{"a null pointer"};
    std::string_view text = value;
    out.text(text.data(), text.size());
  } else if constexpr (IsOptional<T>::value) {
    out.several('o', value ? 1 : 0);
    if (value) put(out, *value);
  } else if constexpr (std::is_same_v<T, std::nullopt_t>) {
    out.several('o', 0);
  } else if constexpr (IsTuple<T>::value) {
    out.several('t', std::tuple_size_v<T>);
    std::apply([&](const auto&... each) { (put(out, each), ...); }, value);
  } else if constexpr (IsAny<T>::value) {
    bool isEmpty = value.type() == typeid(void);
    isEmpty ? out.several('a', MOST_ITEMS) : putAny(out, value);
  } else if constexpr (IsMap<T>::value) {
    out.several('m', value.size());
    for (const auto& [key, mapped] : value) put(out, key), put(out, mapped);
  } else if constexpr (std::is_same_v<T, std::vector<bool>>) {
    out.several('l', value.size());
    for (bool each : value) put(out, each);
  } else if constexpr (IsArray<T>::value || IsRange<T>::value) {
    out.several('l', static_cast<std::size_t>(std::distance(value.begin(), value.end())));
    for (const auto& each : value) put(out, each);
  } else {
    static_assert(Cannot<T>::value, "a value of this type cannot cross between a program and its tests");
  }
}

template <class T>
T fitting(const Number& found) {
  const char* what = std::is_same_v<T, bool> ? "no bool" : "out of the range of its type";
  if constexpr (std::is_floating_point_v<T>) {
    if (found.kind == Number::SIGNED) return static_cast<T>(found.whole);
    if (found.kind == Number::UNSIGNED) return static_cast<T>(found.natural);
    return static_cast<T>(found.real);
  } else {
    T value = T();
    bool same = false;
    if (found.kind == Number::REAL) {
      bool small = found.real > -9.2e18 && found.real < 9.2e18;
      value = small ? static_cast<T>(static_cast<std::int64_t>(found.real)) : T();
      same = small && static_cast<double>(value) == found.real;
      what = "no whole number";
    } else if (found.kind == Number::SIGNED) {
      value = static_cast<T>(found.whole);
      same = static_cast<std::int64_t>(value) == found.whole && (value < T()) == (found.whole < 0);
    } else {
      value = static_cast<T>(found.natural);
      same = static_cast<std::uint64_t>(value) == found.natural && !(value < T());
    }
    if (!same) throw Unfit{what};
    return value;
  }
}

template <class T>
struct Tuple;
template <class A, class B>
struct Tuple<std::pair<A, B>> {
  static std::pair<A, B> get(Reader& in) {
    A first = mendjudge::get<A>(in);
    return {std::move(first), mendjudge::get<B>(in)};
  }
};
template <class... T>
struct Tuple<std::tuple<T...>> {
  // Braces keep the order.
  static std::tuple<T...> get(Reader& in) { return std::tuple<T...>{mendjudge::get<T>(in)...}; }
};

const char* keptText(std::string text);

template <class T>
T get(Reader& in) {
  if constexpr (std::is_enum_v<T>) {
    return static_cast<T>(fitting<std::underlying_type_t<T>>(number(in)));
  } else if constexpr (std::is_arithmetic_v<T>) {
    return fitting<T>(number(in));
  } else if constexpr (std::is_same_v<T, std::string>) {
    return in.text();
  } else if constexpr (std::is_same_v<T, const char*> || std::is_same_v<T, std::string_view>) {
    return keptText(in.text());
  } else {
    struct Level {
      int& depth;
      ~Level() { depth--; }
    } level{in.depth};
    if (++in.depth > MOST_DEPTH) throw Malformed{};
    char tag = in.tag();
    std::size_t count = in.count();
    auto expect = [&](char wanted, std::size_t most) {
      if (tag != wanted || count > most) throw Unfit{"of another type than the declared one"};
    };
    if constexpr (IsOptional<T>::value) {
      expect('o', 1);
      if (count == 0) return T();
      return T(get<typename T::value_type>(in));
    } else if constexpr (IsTuple<T>::value) {
      expect('t', std::tuple_size_v<T>);
      if (count != std::tuple_size_v<T>) throw Malformed{};
      return Tuple<T>::get(in);
    } else if constexpr (IsAny<T>::value) {
      expect('a', MOST_ITEMS);
      if (count == MOST_ITEMS) return T();
      return getAny<T>(in, count);
    } else if constexpr (IsMap<T>::value) {
      expect('m', MOST_ITEMS);
      T made;
      for (std::size_t i = 0; i < count; i++) {
        auto key = get<typename T::key_type>(in);
        made.insert({std::move(key), get<typename T::mapped_type>(in)});
      }
      return made;
    } else if constexpr (IsArray<T>::value) {
      T made;
      expect('l', made.size());
      if (count != made.size()) throw Malformed{};
      for (auto& each : made) each = get<typename T::value_type>(in);
      return made;
    } else if constexpr (IsRange<T>::value) {
      expect('l', MOST_ITEMS);
      T made;
      for (std::size_t i = 0; i < count; i++) made.insert(made.end(), get<typename T::value_type>(in));
      return made;
    } else {
      static_assert(Cannot<T>::value, "a value of this type cannot cross between a program and its tests");
    }
  }
}

// ---- types of a function

template <class P>
using Plain = std::remove_cv_t<std::remove_reference_t<P>>;
/// Where the caller sees what the function makes of it.
template <class P>
constexpr bool CHANGES = std::is_lvalue_reference_v<P> && !std::is_const_v<std::remove_reference_t<P>>;

// ---- the tests' side

/// Sends a call, and gives the value of its reply. Does not return where there is none.
Reader ask(const char* name, const Writer& arguments, std::size_t count);
/// The value that was returned has been read.
void taken(const Reader& reply);
/// Of arguments.
[[noreturn]] void notPlain(const Unfit& problem);
[[noreturn]] void unfit(const Unfit& problem);
[[noreturn]] void malformed();
/// Notes that an assertion was reached; ends the tests where it does not hold.
void check(bool holds, const char* text, int line);

template <class F>
struct Remote;
template <class R, class... P>
struct Remote<R(P...)> {
  static R call(const char* name, std::remove_reference_t<P>&... arguments) {
    Writer out;
    try {
      (put<Plain<P>>(out, arguments), ...);
    } catch (const Unfit& problem) {
      notPlain(problem);
    }
    Reader in = ask(name, out, sizeof...(P));
    try {
      if constexpr (std::is_void_v<R>) {
        if (in.tag() != 'v') throw Malformed{};
        taken(in);
        (change<P>(in, arguments), ...);
      } else {
        Plain<R> value = get<Plain<R>>(in);
        taken(in);
        (change<P>(in, arguments), ...);
        return keep<R>(std::move(value));
      }
    } catch (const Unfit& problem) {
      unfit(problem);
    } catch (const Malformed&) {
      malformed();
    }
  }

 private:
  template <class One>
  static void change(Reader& in, std::remove_reference_t<One>& argument) {
    if constexpr (CHANGES<One>) argument = get<Plain<One>>(in);
  }
  template <class Returned>
  static Returned keep(Plain<Returned>&& value) {
    if constexpr (std::is_reference_v<Returned>) {
      static std::list<Plain<Returned>> kept;
      kept.push_back(std::move(value));
      return static_cast<Returned>(kept.back());
    } else {
      return std::move(value);
    }
  }
};

// ---- the program's side

/// Answers one call: arguments in, value and changed arguments out.
using Answer = void (*)(Reader& in, Writer& out);
extern Answer const entry;

template <class F>
struct Local;
template <class R, class... P>
struct Local<R(P...)> {
  template <class Function>
  static void answer(Reader& in, Writer& out, Function&& function) {
    answer(in, out, function, std::index_sequence_for<P...>());
  }

 private:
  template <class Function, std::size_t... I>
  static void answer(Reader& in, Writer& out, Function&& function, std::index_sequence<I...>) {
    std::tuple<Plain<P>...> given{get<Plain<P>>(in)...};
    if constexpr (std::is_void_v<R>) {
      function(pass<P>(std::get<I>(given))...);
      out.tag('v');
    } else {
      decltype(auto) value = function(pass<P>(std::get<I>(given))...);
      put(out, value);
    }
    (change<P>(out, std::get<I>(given)), ...);
  }
  template <class One>
  static decltype(auto) pass(Plain<One>& given) {
    if constexpr (std::is_rvalue_reference_v<One>)
      return std::move(given);
    else
      return (given);
  }
  template <class One>
  static void change(Writer& out, const Plain<One>& given) {
    if constexpr (CHANGES<One>) put(out, given);
  }
};

// ---- the usual types, compiled once: programs and tests need not do it again

#define MEND_USUAL(KIND)                                                                                    \
  MEND_TYPE(KIND, bool) MEND_TYPE(KIND, char) MEND_TYPE(KIND, int) MEND_TYPE(KIND, long)                      \
  MEND_TYPE(KIND, long long) MEND_TYPE(KIND, float) MEND_TYPE(KIND, double) MEND_TYPE(KIND, std::string)      \
  MEND_TYPE(KIND, std::vector<int>) MEND_TYPE(KIND, std::vector<float>) MEND_TYPE(KIND, std::vector<double>)  \
  MEND_TYPE(KIND, std::vector<std::string>) MEND_TYPE(KIND, std::vector<std::vector<int>>)
#define MEND_TYPE(KIND, ...)                                     \
  KIND template void put<__VA_ARGS__>(Writer&, const __VA_ARGS__&); \
  KIND template __VA_ARGS__ get<__VA_ARGS__>(Reader&);
MEND_USUAL(extern)

}  // namespace mendjudge

#define MEND_VECTORS(KIND)                                                                                  \
  KIND template class std::vector<int>;                                                                     \
  KIND template class std::vector<float>;                                                                   \
  KIND template class std::vector<double>;                                                                  \
  KIND template class std::vector<std::string>;                                                             \
  KIND template class std::vector<std::vector<int>>;
MEND_VECTORS(extern)

#endif
