import { describe, expect, test } from "vitest";
import { allItems } from "../items.ts";
import { cpp } from "./index.ts";
import { findFunction, itemsOf } from "./items.ts";
import { scan } from "./scan.ts";
import { signatureOf, stubOf } from "./signature.ts";
import { judgeSources, withMain } from "./sources.ts";

const DECLARATION = `#include <vector>
#include <map>
using namespace std;
typedef map<string, vector<int>> Shelves;
/* a bracket } here */
int weight(const string& name) {
    return name.size(); // and } here
}
vector<string> sorted(vector<string> items, const Shelves& by, int most = 5) {
`;
const BODY = `    string text = "}\\" {";
    char one = '}', two = '\\'';
    auto raw = R"x(
} )" )x";
    return {}; // }
}
`;
const FILE = { entryPoint: "sorted", declaration: DECLARATION, buggyCode: BODY, epilogue: "" };
const WHOLE = DECLARATION + BODY;

describe("reading", () => {
  test("brackets in comments, texts, characters and raw texts are none", () => {
    const { sound, complete, depth, insideText } = scan(WHOLE);
    expect([sound, complete, depth]).toEqual([true, true, 0]);
    expect([...insideText]).toEqual([WHOLE.indexOf('} )" )x"')]);
    expect(scan("int a = 1'000'000; #define X {\n").depth).toBe(1);
    expect(scan("int a;\n#define X { \\\n  {\nint b;").depth).toBe(0);
    expect([cpp.isWhole("int f() {"), cpp.isWhole('auto s = "x; '), cpp.isSound("}")]).toEqual([false, false, false]);
  });

  test("functions, types, namespaces and tests are distinguished", () => {
    const code = `namespace shop { class Basket : public Thing { public: Basket() : a{1}, b(2) { } int total() const { return go(1); }
private: int a; friend bool operator==(const Basket& x, const Basket& y) { return true; } }; enum Kind { ONE, TWO }; }
int shop::Basket::count(int x) { return x; }
template <class T, typename U> T twice(T x) { return x; }
int table[] = {1, 2}; int later(int); struct P { int x; } p;
extern "C" { void plain() { } }
TEST_F(BasketTest, Counts) { EXPECT_EQ(1, 2); }
TEST_CASE("baskets count", "[basket]") { }
auto half(double x) -> double { return x / 2; }`;
    const found = [...allItems(itemsOf(code))].map(({ kind, name, around, owner }) =>
      [kind, [...around, owner, name].filter((part) => part !== "").join("::")].join(" ").trim(),
    );
    expect(found).toEqual([
      ...["namespace shop", "type shop::Basket", "function shop::Basket::Basket", "function shop::Basket::total"],
      ...[
        "other shop::Basket",
        "function shop::Basket::operator==",
        "type shop::Kind",
        "function Basket::count",
        "function twice",
      ],
      ...[
        "other",
        "declared later",
        "type P",
        "other P",
        "other",
        "namespace",
        "function plain",
        "test BasketTest.Counts",
      ],
      ...["test baskets count", "function half"],
    ]);
  });

  test("operators are functions, named by their sign, with their parameters behind it", () => {
    const code = `struct Money { Money& operator += (const Money& more) { cents += more.cents; return *this; }
Money& operator++() { ++cents; return *this; } int operator[](int at) const { return digits[at]; }
int operator()(int x) const noexcept { return x * cents; } explicit operator bool() const { return cents != 0; }
bool operator<(const Money&) const; Money& operator=(const Money& other) = default; int cents{0}; };
bool operator != (const Money& a, const Money& b) { return !(a == b); }
Money Money::operator-() const { return Money(-cents); }
std::ostream& operator<<(std::ostream& out, const Money& m) { return out << m.cents; }
Money operator""_eur(unsigned long long euros) { Money m; m.cents = euros * 100; return m; }`;
    const all = [...allItems(itemsOf(code))].filter(({ kind }) => kind === "function" || kind === "declared");
    expect(
      all.map(({ kind, name, owner, parameters }) => [kind, owner, name, code.slice(parameters).split(")")[0]]),
    ).toEqual([
      ["function", "", "operator+=", "(const Money& more"],
      ["function", "", "operator++", "("],
      ["function", "", "operator[]", "(int at"],
      ["function", "", "operator()", "(int x"],
      ["function", "", "operator bool", "("],
      ["declared", "", "operator<", "(const Money&"],
      ["declared", "", "operator=", "(const Money& other"],
      ["function", "", "operator!=", "(const Money& a, const Money& b"],
      ["function", "Money", "operator-", "("],
      ["function", "", "operator<<", "(std::ostream& out, const Money& m"],
      ["function", "", 'operator""_eur', "(unsigned long long euros"],
    ]);
  });

  test("a signature's parts, and the stub made of them; what cannot be read has none", () => {
    const method = findFunction(itemsOf(WHOLE), "sorted");
    expect(method && signatureOf(WHOLE, method)).toEqual({
      name: "sorted",
      returns: "vector<string>",
      parameters: [
        { type: "vector<string>", name: "items" },
        { type: "const Shelves&", name: "by" },
        { type: "int", name: "most" },
      ],
    });
    const stub = stubOf(DECLARATION, "sorted");
    expect(stub?.source).toContain("int weight(const string& name) {");
    expect(stub?.aliases).toBe("typedef map<string, vector<int>> Shelves;");
    const unread = [
      "template <class T> T f(T x) { }",
      "int f(int x[]) { }",
      "auto f(int x) { }",
      "int f(int (*g)(int)) { }",
    ];
    for (const code of unread) expect(stubOf(code, "f"), code).toBeNull();
    expect(stubOf('int f(decltype(system("x")) y) { }', "f", false)).toBeNull();
    expect(stubOf("int g() { return 1; }\nint f(int x) { }", "f", false)?.source).not.toContain("return 1");
  });
});

describe("answers", () => {
  test("a whole file, the function with helpers, its body: the file that is meant", () => {
    const assembled = (answer: string) => cpp.assemble(FILE, answer);
    expect(assembled(WHOLE).trim()).toBe(WHOLE.trim());
    const alone = "vector<string> sorted(vector<string> items, const Shelves& by, int most) {\n    return items;\n}";
    const helped = `#include <set>\nint other() { return 1; }\n${alone}\nint main() { return sorted({}, {}, 1).size(); }`;
    for (const answer of [alone, helped]) {
      const code = assembled(answer);
      for (const part of ["#include <vector>", "typedef map", "int weight(", "return items;"])
        expect(code).toContain(part);
      expect(code).not.toContain("main");
      expect(code.match(/sorted\(vector/g)).toHaveLength(1);
    }
    expect(assembled(helped)).toContain("#include <set>");
    expect(assembled("    return items;\n}")).toBe(`${DECLARATION}    return items;\n}\n`);
    expect(assembled("    return items;")).toBe(`${DECLARATION}    return items;\n}\n`);
    expect(assembled("I do not know.")).toBe("I do not know.");
  });

  test("a declaration that goes on into the body gives way to the documented one, without its comments", () => {
    const documented =
      '#include <string>\n// not } this\nint g() { return 1; /* nor { this */ }\nint f(int x) {\n    // Says "what".\n';
    expect(cpp.declarationOf?.(documented, "f", DECLARATION)).toBe(DECLARATION);
    const half = "#include <vector>\nint g() { return 1; }\nint f(int x) {\n    int y = 2;\n    return";
    expect(cpp.declarationOf?.(documented, "f", half)).toBe(
      "#include <vector>\n#include <string>\n\nint g() { return 1;  }\nint f(int x) {\n",
    );
  });

  test("tests without a main get one, with what is global around it", () => {
    expect(withMain("assert(f(1) == 2);")).toBe("int main() { assert(f(1) == 2);\n}\n");
    expect(withMain("bool same(int a) { return a; }\nassert(same(f(1)));")).toMatch(
      /^bool same.*\nint main\(\) \{ assert/,
    );
    expect(withMain("int main() { return f(1); }")).toBe("int main() { return f(1); }");
    expect(withMain("assert(f(1));\nint g() { return 1; }")).toMatch(
      /int g\(\) \{ return 1; \}\nint main\(\) \{\n#line 1\nassert/,
    );
  });

  test("a function whose signature cannot be read is refused in a sentence", () => {
    const job = {
      program: "template <class T> T f(T x) { return x; }",
      entryPoint: "f",
      helpers: "",
      test: "assert(f(1));",
    };
    expect(judgeSources(job)).toContain("no function `f` with a signature of plain types");
  });

  test("code is recognized in prose", () => {
    expect(cpp.bareCode("The loop is wrong:\n\nint f(int x) {\n    return x;\n}\n\nThat is all.")).toBe(
      "int f(int x) {\n    return x;\n}",
    );
    expect(cpp.mayBe("c++") && cpp.mayBe("cpp") && !cpp.mayBe("python")).toBe(true);
  });
});
