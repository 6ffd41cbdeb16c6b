/** Java code that calls versions with arguments near those of the tests, and prints the results as source text. */

import type { Signature } from "../../../languages/java/signature.ts";
import { MOST_GIVEN_CHARS, MOST_INPUT_CHARS, NEAR_INPUTS } from "../../choice/behaviour.ts";

const TURNS = 50_000;

/** What a call does first, in a `try` that `END` ends: arguments of the tests' own calls are kept. */
export const keeping = (isStatic: boolean, names: string): string =>
  `boolean mend$outer = mend$Near.depth++ == 0; try { if (mend$outer && mend$Near.keeps) mend$Near.keep(${
    isStatic ? "null" : "this"
  }, new Object[] {${names}});`;
export const END = "} finally { mend$Near.depth--; }";

/** A method of the class of the versions. */
export function caller(type: string, entry: string, { isStatic, returns, parameters }: Signature): string {
  const given = parameters.map((one, at) => `(${one.type}) a[${at}]`).join(", ");
  const call = `${isStatic ? type : `((${type}) self)`}.${entry}(${given})`;
  const body = returns === "void" ? `${call}; return "";` : `return ${call};`;
  return `@SuppressWarnings("unchecked") static Object mend$call(Object self, Object[] a) throws Throwable {
    ${body} }\n`;
}

/** The class that keeps arguments, makes others near them, and shows values. `mend$Run` runs it. */
export const nearClass = (type: string, count: number, numbers: readonly string[]): string => `class mend$Near {
  static boolean keeps;
  static int depth;
  static Object self;
  static long state = 7;
  static final java.util.List<Object[]> GIVEN = new java.util.ArrayList<>();
  static void keep(Object own, Object[] arguments) { self = own;
    if (GIVEN.size() < 200) GIVEN.add((Object[]) copy(arguments)); }
  static int draw(int many) { state = state * 6364136223846793005L + 1442695040888963407L;
    return (int) ((state >>> 33) % many); }
  static Object copy(Object x) {
    if (x instanceof java.util.List) { java.util.List<Object> out = new java.util.ArrayList<>(); for (Object one
      : (java.util.List<?>) x) out.add(copy(one)); return out; }
    if (x instanceof java.util.Map) { java.util.Map<Object, Object> out = new java.util.LinkedHashMap<>();
      ((java.util.Map<?, ?>) x).forEach((k, v) -> out.put(k, copy(v))); return out; }
    if (x != null && x.getClass().isArray()) {
      int length = java.lang.reflect.Array.getLength(x);
      Object out = java.lang.reflect.Array.newInstance(x.getClass().getComponentType(), length);
      for (int i = 0; i < length; i++) java.lang.reflect.Array.set(out, i, copy(java.lang.reflect.Array.get(x, i)));
      return out;
    }
    return x;
  }
  static String quoted(String text, char quote) {
    StringBuilder out = new StringBuilder().append(quote);
    for (char one : text.toCharArray()) {
      if (one == '\\n') out.append("\\\\n");
      else if (one == '\\t') out.append("\\\\t");
      else if (one < ' ' || one > '~') out.append(String.format("\\\\u%04x", (int) one));
      else out.append(one == quote || one == '\\\\' ? "\\\\" : "").append(one);
    }
    return out.append(quote).toString();
  }
  static String all(String begin, Iterable<?> items, String end) {
    StringBuilder out = new StringBuilder(begin);
    String between = "";
    for (Object one : items) { out.append(between).append(show(one)); between = ", "; if (out.length() > 2000) break; }
    return out.append(end).toString();
  }
  static java.util.List<Object> itemsOf(Object array) {
    java.util.List<Object> out = new java.util.ArrayList<>();
    for (int i = 0; i < java.lang.reflect.Array.getLength(array); i++) out.add(java.lang.reflect.Array.get(array, i));
    return out;
  }
  static String show(Object x) {
    if (x == null || x instanceof Integer || x instanceof Boolean || x instanceof Double || x instanceof Short
      || x instanceof Byte) return String.valueOf(x);
    if (x instanceof Long) return x + "L";
    if (x instanceof Float) return x + "f";
    if (x instanceof Character) return quoted(x.toString(), '\\'');
    if (x instanceof String) return quoted((String) x, '"');
    if (x instanceof java.util.List) return all("Arrays.asList(", (java.util.List<?>) x, ")");
    if (x instanceof java.util.Optional) return ((java.util.Optional<?>) x).map(one -> "Optional.of(" + show(one)
      + ")").orElse("Optional.empty()");
    if (x.getClass().isArray()) return all("new " + x.getClass().getComponentType().getSimpleName() + "[] {",
      itemsOf(x), "}");
    if (x instanceof java.util.Map) {
      java.util.List<String> texts = new java.util.ArrayList<>();
      for (java.util.Map.Entry<?, ?> one : ((java.util.Map<?, ?>) x).entrySet()) texts.add(show(one.getKey()) + ", "
        + show(one.getValue()));
      java.util.Collections.sort(texts);
      return "Map.of(" + String.join(", ", texts) + ")";
    }
    if (x instanceof java.util.Set) {
      java.util.List<String> texts = new java.util.ArrayList<>();
      for (Object one : (java.util.Set<?>) x) texts.add(show(one));
      java.util.Collections.sort(texts);
      return "Set.of(" + String.join(", ", texts) + ")";
    }
    return "?";
  }
  static Object near(Object x) {
    int way = draw(6);
    if (x instanceof Integer) { int n = (Integer) x; return new int[] {n + 1, n - 1, n + 2, -n, n * 2, 0}[way]; }
    if (x instanceof Long) { long n = (Long) x; return new long[] {n + 1, n - 1, n + 2, -n, n * 2, 0}[way]; }
    if (x instanceof Double) { double n = (Double) x; return new double[] {n + 1, n - 1, n + 2, -n, n * 2, 0}[way]; }
    if (x instanceof Boolean) return way < 3;
    if (x instanceof Character) { char c = (Character) x; return Character.isLetter(c) ? (char) (c ^ 32) : (char) (c
      + 1); }
    if (x instanceof String) {
      java.util.List<Object> letters = new java.util.ArrayList<>();
      for (char one : ((String) x).toCharArray()) letters.add(one);
      StringBuilder out = new StringBuilder();
      for (Object one : nearList(letters)) out.append(one);
      return out.toString();
    }
    if (x instanceof java.util.List) return nearList((java.util.List<?>) x);
    if (x != null && x.getClass().isArray()) {
      java.util.List<Object> items = nearList(itemsOf(x));
      Object out = java.lang.reflect.Array.newInstance(x.getClass().getComponentType(), items.size());
      for (int i = 0; i < items.size(); i++) java.lang.reflect.Array.set(out, i, items.get(i));
      return out;
    }
    if (x instanceof java.util.Map) {
      java.util.Map<Object, Object> out = new java.util.LinkedHashMap<>();
      ((java.util.Map<?, ?>) x).forEach((k, v) -> { if (draw(5) > 0) out.put(k, near(v)); });
      return out;
    }
    return x;
  }
  static java.util.List<Object> nearList(java.util.List<?> given) {
    java.util.List<Object> items = new java.util.ArrayList<>(given);
    if (items.isEmpty()) return items;
    int at = draw(items.size()), way = draw(9);
    if (way == 0) items.remove(at);
    else if (way == 1) items.add(at, items.get(0));
    else if (way == 2) java.util.Collections.reverse(items);
    else if (way == 3) items = new java.util.ArrayList<>(items.subList(0, at));
    else if (way == 4) for (int i = items.size(); i > 1; i--) java.util.Collections.swap(items, i - 1, draw(i));
    else items.set(at, near(items.get(at)));
    return items;
  }
  static Object put(Object x, long number) {
    if (x instanceof Integer) return (int) number;
    if (x instanceof Long) return number;
    if (x instanceof Double) return (double) number;
    return null;
  }
  static java.util.Map<String, Object[]> inputs() {
    java.util.Map<String, Object[]> found = new java.util.LinkedHashMap<>();
    java.util.List<Object[]> usable = new java.util.ArrayList<>();
    for (Object[] one : GIVEN) if (one.length > 0 && shown(one).length() < ${MOST_INPUT_CHARS}) usable.add(one);
    for (int n = 0; !usable.isEmpty() && n < ${NEAR_INPUTS * 4} && found.size() < ${NEAR_INPUTS}; n++) {
      Object[] x = (Object[]) copy(usable.get(n % usable.size()));
      int at = draw(x.length);
      x[at] = near(x[at]);
      add(found, x);
    }
    for (long number : new long[] {${numbers.map((one) => `${one}L`).join(", ")}})
      for (long more : new long[] {0, -1, 1})
        for (int at = 0; !usable.isEmpty() && at < usable.get(0).length; at++) {
          Object[] x = (Object[]) copy(usable.get(0));
          x[at] = put(x[at], number + more);
          if (x[at] != null) add(found, x);
        }
    return found;
  }
  static void add(java.util.Map<String, Object[]> found, Object[] x) { String text = shown(x);
    if (text.length() < ${MOST_INPUT_CHARS}) found.putIfAbsent(text, x); }
  static String shown(Object[] x) { return all("(", java.util.Arrays.asList(x), ")"); }
  static void run(Runnable tests) {
    mend$Run.at = 1; mend$Run.left = 1_000_000; keeps = true;
    tests.run();
    keeps = false;
    java.util.Map<String, Object[]> inputs = inputs();
    int number = 0;
    for (String text : inputs.keySet()) mend$Run.OUT.println("near " + number++ + " " + text);
    for (int version = 0; version < ${count}; version++) {
      number = 0;
      for (Object[] given : inputs.values()) {
        mend$Run.at = version; mend$Run.left = ${TURNS}; mend$Run.steps++; depth = 0;
        String text = given(given);
        mend$Run.OUT.println("gave " + version + " " + number++ + " " + text.substring(0, Math.min(text.length(),
          ${MOST_GIVEN_CHARS})));
      }
      mend$Run.OUT.flush();
    }
  }
  static String given(Object[] arguments) {
    Object[] own = (Object[]) copy(arguments);
    String before = shown(own);
    try {
      String text = "v " + show(${type}.mend$call(self, own));
      String after = shown(own);
      return after.equals(before) ? text : text + " leaves " + after;
    } catch (mend$Run.Late late) { return "cut"; } catch (Throwable thrown) { return mend$Run.left < 0 ? "cut"
      : "raised"; }
  }
}
`;
