import { expect, test } from "vitest";
import { likeOriginal, plainText, utf8Text } from "./line_ends.ts";

const roundTrip = (original: string, edit: (text: string) => string) =>
  likeOriginal(original, edit(plainText(original)));

test.each([
  ["unix", "a\nb\nc\n", "a\nB\nc\n"],
  ["windows", "a\r\nb\r\nc\r\n", "a\r\nB\r\nc\r\n"],
  ["a byte order mark", "\uFEFFa\r\nb\r\nc", "\uFEFFa\r\nB\r\nc"],
  ["mixed: lines that stay keep their own", "a\nb\r\nc\n\n", "a\nB\nc\n\n"],
  ["no final newline", "a\nb", "a\nB"],
])("%s", (_, original, expected) => {
  expect(roundTrip(original, (text) => text.replace("b", "B"))).toBe(expected);
});

test("a text that is not changed is the file, byte for byte", () => {
  for (const file of ["", "\n", "a\r\nb\nc", "\uFEFFa\n\n\n", "a\r\n\r\n"])
    expect(roundTrip(file, (text) => text)).toBe(file);
});

test("new lines get the end that most lines have", () => {
  expect(roundTrip("a\r\nb\r\n", () => "a\nnew\nb\n")).toBe("a\r\nnew\r\nb\r\n");
});

test("bytes that are not UTF-8 are not text", () => {
  expect(utf8Text(Buffer.from("na\u00efve \uFFFD", "utf8"))).toBe("na\u00efve \uFFFD");
  expect(utf8Text(Buffer.from("na\u00efve", "latin1"))).toBeNull();
});
