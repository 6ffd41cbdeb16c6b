import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { python } from "../../utils/languages/python/index.ts";
import { anyCharacter } from "../../utils/testing/characters.ts";
import { ALSO_DEEP, DEEP, runs } from "../../utils/testing/repeats.ts";
import { parseReply, readReplies } from "./reader.ts";
import { type Reply, type ReplyFormat, renderAction, renderAnswer } from "./reply.ts";

const CODE: ReplyFormat = { tools: ["code_interpreter", "view"], answer: "code", language: python };
const TEXT: ReplyFormat = { tools: ["code_interpreter", "view"], answer: "text", language: python };
const ERRORS = ["empty", "no_action", "unknown_tool", "bad_input", "no_code"];

/** A reply has one of the three kinds, and every field the kind promises. */
function expectWellFormed(reply: Reply, { tools }: ReplyFormat): void {
  expect(typeof reply.thought).toBe("string");
  if (reply.kind === "act") {
    expect(tools).toContain(reply.tool);
    expect(Object.prototype.toString.call(reply.input)).toBe("[object Object]");
    if (reply.tool === "code_interpreter") expect(String(reply.input.code).trim()).not.toBe("");
  } else if (reply.kind === "answer") {
    expect(reply.text.trim()).not.toBe("");
  } else {
    expect(ERRORS).toContain(reply.error);
    expect(reply.problem).toMatch(/^[^\n]+\.$/);
  }
}

/** What replies are made of, and what breaks them. */
const TOKENS = [
  "Thought: ¦Action: ¦Action Input: ¦Observation: ¦Final Answer:¦**Action:** ¦### Action\n¦action_input: ",
  "code_interpreter¦view¦python¦Final Answer¦code_interpreter(¦\n¦\r\n¦ ¦    ¦- ¦> ¦```¦```python\n¦\n```\n¦~~~\n",
  '`¦````¦{¦}¦[¦]¦(¦)¦{"code": "¦"}¦{"path": "a"}¦"¦\'¦"""¦\'\'\'¦\\¦\\n¦\\u12¦:¦,',
  "def f(x):\n    return x\n¦print(1)¦return x¦# ¦x = 1\n¦<think>¦</think>¦<tool_call>¦</tool_call>¦<code>",
  "</code>¦<code_interpreter>¦</code_interpreter>¦<function=code_interpreter>¦<parameter=code>¦[TOOL_CALLS]",
  "<|im_end|>¦<|im_start|>assistant\n¦</s>¦None¦\u0000¦\ud800¦\u2028",
].flatMap((line) => line.split("¦"));
const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...TOKENS) },
  fc.string({ unit: anyCharacter, maxLength: 8 }),
);
const soup = fc.array(piece, { maxLength: 40 }).map((parts) => parts.join(""));

/** Text that may stand inside a string or a comment of a program: everything the protocol could trip over. */
const hostileText = fc
  .array(fc.oneof(fc.constantFrom(...TOKENS), fc.string({ maxLength: 10 })), { maxLength: 8 })
  .map((parts) => parts.join("").replace(/[\r\ud800-\udfff]/g, ""));

/** A line of a Python program that holds such text in a string of some kind or a comment. */
const statement = fc.tuple(fc.nat(5), hostileText).map(([kind, text]) => {
  const line = text.replaceAll("\n", " ");
  const safe = text.replaceAll("\\", "\\\\");
  if (kind === 0) return `x = ${JSON.stringify(line)}`;
  if (kind === 1) return `x = '${line.replace(/[\\']/g, "\\$&")}'`;
  if (kind === 2) return `# ${line.replaceAll("`", "")}`;
  if (kind === 3) return `s = """\n${safe.replaceAll('"', "'")}\n"""`;
  if (kind === 4) return `s = '''\n${safe.replaceAll("'", '"')}\n'''`;
  return "if x:\n    print(s, [x, (1, {2: 3})])";
});
const program = fc
  .array(statement, { minLength: 1, maxLength: 6 })
  .map((lines) => `def f(x):\n    return x\n\n${lines.join("\n")}`);
const thought = fc.constantFrom("", "try it", "The bug is in `f`: it returns x.", "First.\nSecond line.");

describe("any text", () => {
  test("is read as exactly one well-formed reply, the same each time", ALSO_DEEP, () => {
    fc.assert(
      fc.property(
        soup,
        fc.constantFrom(CODE, TEXT, { tools: [], answer: "code", language: python } as const),
        (text, options) => {
          const reply = parseReply({ text }, options);
          expectWellFormed(reply, options);
          expect(parseReply({ text }, options)).toEqual(reply);
        },
      ),
      { numRuns: runs(600) },
    );
  });

  test("is read with any native call", ALSO_DEEP, () => {
    const args = fc.oneof(fc.jsonValue(), fc.string(), soup);
    const name = fc.oneof(fc.constantFrom("code_interpreter", "view", "final_answer", "__proto__", ""), fc.string());
    fc.assert(
      fc.property(soup, name, args, (text, called, given) => {
        expectWellFormed(parseReply({ text, toolCalls: [{ name: called, args: given }] }, CODE), CODE);
      }),
      { numRuns: runs(600) },
    );
  });

  test("cannot change the prototype of an input", () => {
    const reply = parseReply({ text: 'Action: view\nAction Input: {"__proto__": {"path": "x"}}' }, CODE);
    expect(reply.kind === "act" && Object.getPrototypeOf(reply.input) === Object.prototype).toBe(true);
  });
});

test("what keeps to the format is called strict, and is read as it was written", ALSO_DEEP, () => {
  const rendered = fc.oneof(
    fc
      .tuple(thought, program)
      .map(([said, code]) => ({ kind: "act" as const, tool: "code_interpreter", input: { code }, thought: said })),
    fc.tuple(thought, program).map(([said, text]) => ({ kind: "answer" as const, text, thought: said })),
  );
  fc.assert(
    fc.property(rendered, (reply) => {
      const text = reply.kind === "act" ? renderAction(reply) : renderAnswer(reply, "code", "python");
      expect(readReplies({ text }, CODE)).toEqual([{ reply, dialect: "strict" }]);
      expect(readReplies({ text: `Sure!\n${text}` }, CODE)[0]?.dialect).not.toBe("strict");
    }),
    { numRuns: runs(600) },
  );
});

describe("what is rendered is read back", () => {
  test("an action with any object", ALSO_DEEP, () => {
    const input = fc.dictionary(
      fc.stringMatching(/^[a-z]{3,8}$/).map((key) => `a_${key}`),
      fc.jsonValue(),
    );
    fc.assert(
      fc.property(input, (given) => {
        const step = { tool: "view", input: JSON.parse(JSON.stringify(given)), thought: "" };
        expect(parseReply({ text: renderAction(step) }, CODE)).toEqual({ kind: "act", ...step });
      }),
      { numRuns: runs(500) },
    );
  });

  test("a program in a fence of three, whatever its strings hold", ALSO_DEEP, () => {
    fc.assert(
      fc.property(program, (code) => {
        // A label together with another fence in one string looks like a string that was left open.
        fc.pre(!(/^(?:Thought|Action|Observation|Final)/m.test(code) && /^[ \t]*[`~]{3}/m.test(code)));
        const text = `Final Answer:\n\`\`\`python\n${code}\n\`\`\``;
        expect(parseReply({ text }, CODE)).toEqual({ kind: "answer", text: code, thought: "" });
      }),
      { numRuns: runs(600), examples: [['def f(x):\n    return x\n\nx = "\u2028```python "']] },
    );
  });

  test("a text answer", ALSO_DEEP, () => {
    fc.assert(
      fc.property(hostileText, (said) => {
        const text = `It says: ${said}.`;
        expect(parseReply({ text: renderAnswer({ text, thought: "" }, "text", "") }, TEXT)).toEqual({
          kind: "answer",
          text,
          thought: "",
        });
      }),
      { numRuns: runs(500) },
    );
  });
});

describe("damaged replies", () => {
  const valid = fc.oneof(
    program.map((code) => renderAction({ tool: "code_interpreter", input: { code }, thought: "try" })),
    program.map((text) => renderAnswer({ text, thought: "done" }, "code", "python")),
    program.map((code) => `Action: code_interpreter\nAction Input:\n\`\`\`python\n${code}\n\`\`\`\nObservation: 1`),
    program.map(
      (code) =>
        `<think>hm</think><tool_call>${JSON.stringify({ name: "code_interpreter", arguments: { code } })}</tool_call>`,
    ),
    program.map((code) => `<code_interpreter><code>\n${code}\n</code></code_interpreter>`),
  );

  test("are still read as a well-formed reply", ALSO_DEEP, () => {
    const damage = fc.record({
      at: fc.nat(),
      length: fc.nat({ max: 20 }),
      insert: fc.oneof(fc.constant(""), fc.constantFrom(...TOKENS)),
    });
    fc.assert(
      fc.property(valid, fc.array(damage, { minLength: 1, maxLength: 4 }), (reply, damages) => {
        const text = damages.reduce((before, { at, length, insert }) => {
          const from = at % (before.length + 1);
          return before.slice(0, from) + insert + before.slice(from + length);
        }, reply);
        expectWellFormed(parseReply({ text }, CODE), CODE);
      }),
      { numRuns: runs(800) },
    );
  });

  test("a truncated action never runs half a string or half a bracket", () => {
    const code = "values = [1, 2, 3]\nprint(sum(values))";
    const whole = renderAction({ tool: "code_interpreter", input: { code }, thought: "" });
    for (let end = 0; end < whole.length; end++) {
      const reply = parseReply({ text: whole.slice(0, end) }, CODE);
      if (reply.kind !== "act") continue;
      expect(code.startsWith(String(reply.input.code))).toBe(true);
      expect((String(reply.input.code).match(/[[(]/g) ?? []).length).toBe(
        (String(reply.input.code).match(/[\])]/g) ?? []).length,
      );
    }
  });
});

describe("a megabyte of anything", () => {
  const UNITS = [
    ...TOKENS.filter((token) => token.trim() !== ""),
    ...[
      '```python\n"""\n',
      "```a b``` c\n",
      "```\n'''\n```\n\"\"\"\n",
      'Action Input: {"code": "',
      "Action Input: {\n",
      'Action: code_interpreter("',
    ],
    ...[
      "Action:\nAction Input:\n",
      "x. Final Answer: ",
      'code_interpreter {"code": "\n',
      "a",
      "Observation: x\n",
      '[TOOL_CALLS] {"a": "',
      "<a>",
    ],
  ];
  const STARTS = ["", "Final Answer:\n", "Action: code_interpreter\nAction Input: ", "```python\n"];

  // The runner's limit on a test is the bound: quadratic reading would take minutes here.
  test.each(STARTS)("is read in time after %j", DEEP, (start) => {
    for (const unit of UNITS) {
      const text = start + unit.repeat(Math.ceil(30_000 / unit.length));
      expectWellFormed(parseReply({ text }, CODE), CODE);
    }
  });

  test.each([
    ...['{"code": "', "```python\n'''\n", "Action:\nAction Input:\n", "`", "<code>", "\\n"],
    ...[" ", '"', "{", "```\n", "x = 1\n", "</think>\n", "Final Answer:\n", "def f(x):\n    return x\n"],
  ])("%j, a full megabyte", DEEP, (unit) => {
    expectWellFormed(
      parseReply(
        { text: `Action: code_interpreter\nAction Input: ${unit.repeat(Math.ceil(1e6 / unit.length))}` },
        CODE,
      ),
      CODE,
    );
  });
});
