/** C++ code that calls versions with arguments near those of the tests, and prints the results as source text. */

import type { Signature } from "../../../languages/cpp/signature.ts";
import { MOST_GIVEN_CHARS, MOST_INPUT_CHARS, NEAR_INPUTS } from "../../choice/behaviour.ts";

const HEADERS = ["set", "string", "tuple", "type_traits", "utility", "vector"];

/** Values shown, and others near them. */
const VALUES = `
struct mend_Draw {
  unsigned long long state;
  unsigned operator()(unsigned many) { state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33) % many; }
};
template <class T, class = void> struct mend_isList : std::false_type {};
template <class T> struct mend_isList<T, std::void_t<decltype(std::declval<const T&>().begin()),
  typename T::value_type>> : std::true_type {};
template <class T, class = void> struct mend_grows : std::false_type {};
template <class T> struct mend_grows<T,
  std::void_t<decltype(std::declval<T&>().push_back(std::declval<typename T::value_type>()))>> : std::true_type {};
static std::string mend_quoted(const std::string& text, char quote) {
  std::string out(1, quote);
  for (unsigned char one : text) {
    char code[8];
    if (one == '\\n') out += "\\\\n";
    else if (one == '\\t') out += "\\\\t";
    else if (one < ' ' || one > '~') { snprintf(code, sizeof code, "\\\\%03o", one); out += code; }
    else { if (one == (unsigned char)quote || one == '\\\\') out += '\\\\'; out += (char)one; }
  }
  return out + quote;
}
template <class T> struct mend_Show {
  static std::string of(const T& x) {
    if constexpr (std::is_same_v<T, bool>) return x ? "true" : "false";
    else if constexpr (std::is_same_v<T, char>) return mend_quoted(std::string(1, x), '\\'');
    else if constexpr (std::is_integral_v<T>) return std::to_string(x);
    else if constexpr (std::is_floating_point_v<T>) {
      char text[64];
      snprintf(text, sizeof text, "%.12g", (double)x);
      std::string shown = text;
      return shown.find_first_not_of("-0123456789") == std::string::npos ? shown + ".0" : shown;
    }
    else if constexpr (std::is_convertible_v<T, std::string>) return mend_quoted(x, '"');
    else if constexpr (mend_isList<T>::value) {
      std::string out = "{";
      for (const auto& one : x) {
        typename T::value_type item = one;
        out += (out.size() > 1 ? ", " : "") + mend_Show<std::decay_t<decltype(item)>>::of(item);
      }
      return out + "}";
    }
    else return "?";
  }
};
template <class A, class B> struct mend_Show<std::pair<A, B>> {
  static std::string of(const std::pair<A, B>& x) {
    return "{" + mend_Show<std::decay_t<A>>::of(x.first) + ", " + mend_Show<std::decay_t<B>>::of(x.second) + "}";
  }
};
template <class... T> struct mend_Show<std::tuple<T...>> {
  static std::string of(const std::tuple<T...>& x) {
    std::string out = "{";
    std::apply([&](const auto&... one) { ((out += (out.size() > 1 ? ", " : "")
      + mend_Show<std::decay_t<decltype(one)>>::of(one)), ...); }, x);
    return out + "}";
  }
};
template <class T> struct mend_Near {
  static T of(const T& x, mend_Draw& draw) {
    if constexpr (std::is_same_v<T, bool>) return draw(2);
    else if constexpr (std::is_same_v<T, char>) return isalpha((unsigned char)x) ? x ^ 32 : x + 1;
    else if constexpr (std::is_arithmetic_v<T>) {
      const T all[] = {T(x + 1), T(x - 1), T(x + 2), T(std::is_signed_v<T> ? -x : x + 3), T(x * 2), T(0)};
      return all[draw(6)];
    }
    else if constexpr (mend_grows<T>::value) {
      using Item = typename T::value_type;
      std::vector<Item> items(x.begin(), x.end()), made;
      if (items.empty()) return x;
      size_t at = draw(items.size()), way = draw(9);
      if (way == 2) made.assign(items.rbegin(), items.rend());
      else if (way == 3) made.assign(items.begin(), items.begin() + at);
      else if (way == 4) { made = items; for (size_t i = made.size(); i > 1; i--) { size_t j = draw(i);
        Item kept = made[i - 1]; made[i - 1] = made[j]; made[j] = kept; } }
      else for (size_t i = 0; i < items.size(); i++) {
        if (way == 1 && i == at) made.push_back(items[0]);
        if (i != at || way == 1) made.push_back(items[i]);
        else if (way > 4) { Item item = items[i]; made.push_back(mend_Near<Item>::of(item, draw)); }
      }
      T out;
      for (const auto& one : made) out.push_back(one);
      return out;
    }
    else return x;
  }
};
template <class A, class B> struct mend_Near<std::pair<A, B>> {
  static std::pair<A, B> of(const std::pair<A, B>& x, mend_Draw& draw) {
    return draw(2) ? std::pair<A, B>(mend_Near<std::decay_t<A>>::of(x.first, draw), x.second) : std::pair<A,
      B>(x.first, mend_Near<std::decay_t<B>>::of(x.second, draw));
  }
};
`;

export const beforeNear = (): string => `${HEADERS.map((one) => `#include <${one}>`).join("\n")}\n${VALUES}`;

/** The arguments of the tests' calls are kept; those near them are made in each process in the same way. */
export function nearInputs({ parameters }: Signature, numbers: readonly string[]): string {
  const types = parameters.map(({ type }) => `std::decay_t<${type}>`).join(", ");
  return `
using mend_Arguments = std::tuple<${types}>;
static std::vector<mend_Arguments> mend_given;
static bool mend_keeps; static int mend_depth;
struct mend_Within { mend_Within() { mend_depth++; } ~mend_Within() { mend_depth--; } };
template <size_t... At> static std::string mend_shown(const mend_Arguments& x, std::index_sequence<At...>) {
  std::string out = "(";
  ((out += (At ? ", " : "") + mend_Show<std::tuple_element_t<At, mend_Arguments>>::of(std::get<At>(x))), ...);
  return out + ")";
}
template <size_t... At> static void mend_change(mend_Arguments& x, size_t at, mend_Draw& draw,
  std::index_sequence<At...>) {
  ((At == at ? (void)(std::get<At>(x) = mend_Near<std::tuple_element_t<At, mend_Arguments>>::of(std::get<At>(x),
    draw)) : (void)0), ...);
}
template <size_t At> static bool mend_put(mend_Arguments& x, long long number) {
  using T = std::tuple_element_t<At, mend_Arguments>;
  if constexpr (std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !std::is_same_v<T, char>) {
    std::get<At>(x) = T(number); return true; }
  else return false;
}
template <size_t... At> static std::vector<mend_Arguments> mend_inputs(std::vector<std::string>& texts,
  std::index_sequence<At...> all) {
  std::vector<mend_Arguments> usable, found;
  std::set<std::string> known;
  auto add = [&](const mend_Arguments& x) { std::string text = mend_shown(x, all);
    if (text.size() < ${MOST_INPUT_CHARS} && known.insert(text).second) { found.push_back(x); texts.push_back(text);
      } };
  for (const auto& one : mend_given) if (mend_shown(one, all).size() < ${MOST_INPUT_CHARS}) usable.push_back(one);
  mend_Draw draw{7};
  for (size_t n = 0; !usable.empty() && n < ${NEAR_INPUTS * 4} && found.size() < ${NEAR_INPUTS}; n++) {
    mend_Arguments x = usable[n % usable.size()];
    mend_change(x, draw(sizeof...(At)), draw, all);
    add(x);
  }
  for (long long number : std::vector<long long>{${numbers.join(", ")}})
    for (long long more : {0, -1, 1})
      if (!usable.empty()) { ([&] { mend_Arguments x = usable[0]; if (mend_put<At>(x, number + more)) add(x); }(),
        ...); }
  return found;
}
`;
}

/** Processor time for one input, and inputs on which a version may break before the rest is left. */
const INPUT_MS = 20;
const MOST_BROKEN = 12;

/** Each version in a process of its own, and in another behind an input that ends it. */
export function nearMain(entry: string, { returns, parameters }: Signature, count: number): string {
  const changed = parameters.flatMap(({ type }, at) =>
    /&\s*$/.test(type) && !/\bconst\b|&&/.test(type)
      ? [`text += " " + mend_Show<std::tuple_element_t<${at}, mend_Arguments>>::of(std::get<${at}>(x));`]
      : [],
  );
  const call = `${entry}(${parameters.map((_, at) => `std::get<${at}>(x)`).join(", ")})`;
  const value =
    returns === "void"
      ? `${call}; std::string text;`
      : `auto value = ${call}; std::string text = mend_Show<std::decay_t<decltype(value)>>::of(value);`;
  return `
#undef main
static std::string mend_call(mend_Arguments x) { ${value} ${changed.join(" ")} return text; }
static void mend_limit(int ms) { itimerval left = {{0, 0}, {ms / 1000, ms % 1000 * 1000}}; setitimer(ITIMER_PROF,
  &left, 0); }
int main() {
  mend_seen = (mend_Seen*)mmap(0, sizeof(mend_Seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  rlimit none = {0, 0}, most = {1u << 29, 1u << 29};
  setrlimit(RLIMIT_CORE, &none); setrlimit(RLIMIT_DATA, &most);
  int out = dup(1), nowhere = open("/dev/null", O_RDWR);
  dup2(nowhere, 1); dup2(nowhere, 2);
  for (int version = 0; version < ${count}; version++) {
    int from = 0;
    for (int broken = 0; broken < ${MOST_BROKEN}; broken++) {
      *mend_seen = {0, 0, 0};
      pid_t child = fork();
      if (child == 0) {
        mend_limit(500);
        mend_at = 1; mend_keeps = true;
        mend_tests();
        mend_keeps = false; mend_depth = 0; mend_at = version;
        std::vector<std::string> texts;
        auto inputs = mend_inputs(texts, std::make_index_sequence<std::tuple_size_v<mend_Arguments>>());
        if (version == 0 && from == 0) for (size_t i = 0; i < texts.size(); i++) dprintf(out, "near %zu %s\\n", i,
          texts[i].c_str());
        for (int i = from; i < (int)inputs.size(); i++) {
          mend_seen->reached = i; mend_seen->ended = 2;
          mend_limit(${INPUT_MS});
          std::string text;
          try { text = "v " + mend_call(inputs[i]); } catch (...) { text = "raised"; }
          dprintf(out, "gave %d %d %s\\n", version, i, text.substr(0, ${MOST_GIVEN_CHARS}).c_str());
        }
        mend_seen->ended = 1;
        _exit(0);
      }
      int status = 0;
      waitpid(child, &status, 0);
      if (mend_seen->ended != 2) break;
      from = mend_seen->reached;
      dprintf(out, "gave %d %d %s\\n", version, from, WIFSIGNALED(status) && WTERMSIG(status) == SIGPROF ? "cut"
        : "raised");
      from++;
    }
  }
}
`;
}
