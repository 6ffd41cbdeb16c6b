/** What a reply means, case by case: every shape here was chosen because some model writes it. */
import { describe, expect, test } from "vitest";
import { python } from "../../utils/languages/python/index.ts";
import { LANGUAGES } from "../../utils/languages/registry.ts";
import { codeProtocol, textProtocol } from "../prompts.ts";
import { type Registry, registry, SUBMIT } from "../tools/tool.ts";
import { parseReply, readReplies } from "./reader.ts";
import {
  type FormatError,
  type ModelMessage,
  REPLY_LABELS,
  renderAction,
  renderAnswer,
  STOP_SEQUENCES,
} from "./reply.ts";

const CI = "code_interpreter";
const FIX = "def add(a, b):\n    return a + b";
const RUN = "print(add(1, 2))";
const LOOP = "for i in range(3):\n    print(i)";

type Expected =
  | { run: string }
  | { tool: string; input: unknown }
  | { answer: string }
  | { malformed: FormatError; says?: string };

interface Case {
  name: string;
  reply: string | ModelMessage;
  is: Expected;
  thought?: string;
  tools?: string[];
  answer?: "code" | "text";
}

const act = (input: string): string => `Thought: try it\nAction: ${CI}\nAction Input: ${input}`;
const run = (name: string, reply: string | ModelMessage, code = RUN, more: Partial<Case> = {}): Case => ({
  name,
  reply,
  is: { run: code },
  ...more,
});
const ans = (name: string, reply: string | ModelMessage, code = FIX, more: Partial<Case> = {}): Case => ({
  name,
  reply,
  is: { answer: code },
  ...more,
});
const bad = (
  name: string,
  reply: string | ModelMessage,
  malformed: FormatError,
  says = "",
  more: Partial<Case> = {},
): Case => ({
  name,
  reply,
  is: { malformed, says },
  ...more,
});
const fence = (code: string, tag = "python", mark = "```"): string => `${mark}${tag}\n${code}\n${mark}`;
const json = JSON.stringify;

const canonical: Case[] = [
  run("the canonical action", act(json({ code: RUN })), RUN, { thought: "try it" }),
  ans("the canonical answer", `Thought: done\nFinal Answer:\n${fence(FIX)}`, FIX, { thought: "done" }),
  ans("Windows line ends in an answer", `Final Answer:\r\n${fence(FIX).replaceAll("\n", "\r\n")}`),
  run(
    "an escaped quote and a backslash in the code",
    act(json({ code: "print(\"a\\n\", 'b')" })),
    "print(\"a\\n\", 'b')",
  ),
  {
    name: "an input with more than code",
    reply: act(json({ code: RUN, harness: "assert True", timeout: 5 })),
    is: { tool: CI, input: { code: RUN, harness: "assert True", timeout: 5 } },
  },
];

const damagedJson: Case[] = [
  run("single quotes", act(`{'code': 'print(add(1, 2))'}`)),
  run("an apostrophe inside double quotes", act(`{"code": "print('it')"}`), "print('it')"),
  run("trailing comma", act(`{"code": "${RUN}",}`)),
  run("raw line breaks in the string", act(`{"code": "${LOOP}"}`), LOOP),
  run(
    "raw line breaks and a Python escape in the string",
    act(`{"code": "x = 1\nprint('a\\nb')"}`),
    "x = 1\nprint('a\\nb')",
  ),
  run("triple double quotes", act(`{"code": """${LOOP}"""}`), LOOP),
  run("triple single quotes", act(`{'code': '''${LOOP}'''}`), LOOP),
  run("a raw string prefix", act(`{"code": r"print('\\d')"}`), "print('\\d')"),
  run("back quotes as quotes", act(`{"code": \`${LOOP}\`}`), LOOP),
  {
    name: "Python literals",
    reply: act(`{"code": "${RUN}", "harness": None, "strict": True}`),
    is: { tool: CI, input: { code: RUN, harness: null, strict: true } },
  },
  run("a key without quotes", act(`{code: "${RUN}"}`)),
  run("no closing brace", act(`{"code": "${RUN}"`)),
  run("quotes in the code that are not escaped", act(`{"code": "print("hi")"}`), 'print("hi")'),
  run("unescaped quotes over several lines", act(`{"code": "x = "a"\nprint(x)"}`), 'x = "a"\nprint(x)'),
  run("no quotes around the code", act(`{"code": ${RUN}}`)),
  run("strings joined as in Python", act(`{"code": "x = 1\\n"\n  "print(x)"}`), "x = 1\nprint(x)"),
  run("lines as a list", act(json({ code: LOOP.split("\n") })), LOOP),
  run("escaped twice", act(json({ code: LOOP.replaceAll("\n", "\\n") })), LOOP),
  run("an escape that JSON does not have", act(`{"code": "print(r'\\d')"}`), "print(r'\\d')"),
  run("escaped, and then wrapped", act(`{"code": "x = 1\\n\nprint(x)\\n"}`), "x = 1\n\nprint(x)\n"),
  run("a fence inside the string", act(json({ code: fence(LOOP) })), LOOP),
  run("a forgotten comma between lines", act(`{\n"code": "${RUN}"\n"timeout": 3\n}`).replace(/\n"timeout": 3/, "")),
  run("a comment after the object", act(`${json({ code: RUN })}  # runs it`)),
];

const otherPayloads: Case[] = [
  run("code in a fence instead of JSON", act(`\n${fence(LOOP)}`), LOOP),
  run("a fence around the JSON", act(fence(json({ code: RUN }), "json"))),
  run("a fence around the JSON without a language", act(`\n${fence(json({ code: RUN }), "")}`)),
  run("a Python fence around the JSON", act(fence(json({ code: RUN })))),
  run("bare code", act(RUN)),
  run("code between back quotes", act(`\`${RUN}\``)),
  run("a fence on one line", act(`\`\`\`python ${RUN}\`\`\``)),
  run("an unclosed fence that ends with a statement", act(`\n\`\`\`python\n${LOOP}`), LOOP),
  run("nested under input", act(json({ input: { code: RUN } }))),
  run("nested under the tool's name", act(json({ [CI]: { code: RUN } }))),
  run("name and arguments", act(json({ name: CI, arguments: { code: RUN } }))),
  run("arguments as a JSON string", act(json({ name: CI, arguments: json({ code: RUN }) }))),
  run("the whole input as a JSON string", act(json(json({ code: RUN })))),
  run("under another key", act(json({ source: RUN }))),
  run("under an unknown key of its own", act(json({ to_run: RUN }))),
  run("no label for the input", `Action: ${CI}\n${json({ code: RUN })}`),
  run("the label Input", `Action: ${CI}\nInput: ${json({ code: RUN })}`),
  run("the code first, then the action", `Thought: run this\n${fence(LOOP)}\nAction: ${CI}`, LOOP),
  run("the input as a quoted string", act(json(RUN))),
  run("the input as a string in single quotes", act(`'${RUN}'`)),
  run("a key without an object", act(`code: ${RUN}`)),
  run("a program after the label, prose behind it", act(`${LOOP}\n\nThis prints the numbers.`), LOOP),
  run(
    "triple quotes with a docstring inside",
    act(`{"code": """def f():\n    """Doc."""\n"""}`),
    'def f():\n    """Doc."""\n',
  ),
  run("an input without an action", `Action Input: ${json({ code: RUN })}`),
  run(
    "a fence with indentation",
    act(`\n    \`\`\`python\n    for i in range(3):\n        print(i)\n    \`\`\``),
    LOOP,
  ),
  run(
    "action and input as one JSON object",
    `Action:\n${fence(json({ action: CI, action_input: { code: RUN } }), "json")}`,
  ),
  run(
    "action and input as one JSON object, no fence",
    `Thought: go\nAction: ${json({ name: CI, args: { code: RUN } })}`,
  ),
];

const calls: Case[] = [
  run("a call with a string", `Action: ${CI}("${RUN}")`),
  run("a call with a keyword", `Action: ${CI}(code="${RUN}")`),
  run("a call with a triple-quoted string", `Action: ${CI}(code="""\n${LOOP}\n""")`, `\n${LOOP}\n`),
  run("a call with bare code", `Action: ${CI}(${RUN})`),
  run("a call with an object", `Action: ${CI}(${json({ code: RUN })})`),
  run("a call with the name in back quotes", `Action: \`${CI}\`("${RUN}")`),
  run("square brackets, as in the ReAct paper", `Action 1: ${CI}[${RUN}]`),
  {
    name: "a call with two keywords",
    reply: `Action: ${CI}(code='x = 1', timeout=5)`,
    is: { tool: CI, input: { code: "x = 1", timeout: 5 } },
  },
  run("a call without any label", `I will run it.\n${CI}("${RUN}")`),
  run(
    "Observation: inside the string of a call",
    `Action: ${CI}(code="""print(1)\nObservation: no\n""")`,
    "print(1)\nObservation: no\n",
  ),
  run("a call that spans label and input", `Action: ${CI}()\nAction Input: ${json({ code: RUN })}`),
];

const labels: Case[] = [
  run("bold labels", `**Thought:** try\n**Action:** ${CI}\n**Action Input:** ${json({ code: RUN })}`, RUN, {
    thought: "try",
  }),
  run("bold labels, colon outside", `**Thought**: try\n**Action**: ${CI}\n**Action Input**: ${json({ code: RUN })}`),
  run("bold tool name", `Action: **${CI}**\nAction Input: ${json({ code: RUN })}`),
  run("indented labels", `  Thought: try\n  Action: ${CI}\n  Action Input: ${json({ code: RUN })}`, RUN, {
    thought: "try",
  }),
  run("lower-case labels", `thought: try\naction: ${CI}\naction input: ${json({ code: RUN })}`),
  run("labels with underscores", `action: ${CI}\naction_input: ${json({ code: RUN })}`),
  run("numbered labels", `Thought 1: try\nAction 1: ${CI}\nAction Input 1: ${json({ code: RUN })}`, RUN, {
    thought: "try",
  }),
  run("a numbered list", `1. Thought: try\n2. Action: ${CI}\n3. Action Input: ${json({ code: RUN })}`, RUN, {
    thought: "try",
  }),
  run("headings", `### Thought\ntry\n### Action\n${CI}\n### Action Input\n${json({ code: RUN })}`, RUN, {
    thought: "try",
  }),
  run("bullets", `- Action: ${CI}\n- Action Input: ${json({ code: RUN })}`),
  run("a quotation", `> Action: ${CI}\n> Action Input: ${json({ code: RUN })}`),
  run("no space after the colon", `Thought:try\nAction:${CI}\nAction Input:${json({ code: RUN })}`),
  run("the name on the next line", `Action:\n${CI}\nAction Input:\n${json({ code: RUN })}`),
  run("everything on one line", `Thought: try. Action: ${CI} Action Input: ${json({ code: RUN })}`, RUN, {
    thought: "try.",
  }),
  run("a full-width colon", `Action： ${CI}\nAction Input： ${json({ code: RUN })}`),
  ans("a heading for the answer", `## Final Answer\n\n${fence(FIX)}`),
  ans("Final Answer without a colon", `Final Answer\n${fence(FIX)}`),
  ans("Answer:", `Thought: done\nAnswer:\n${fence(FIX)}`),
  ans("the label in the middle of a line", `Thought: I now know the final answer. Final Answer:\n${fence(FIX)}`),
  run(
    "the whole reply in a fence",
    `\`\`\`\nThought: try\nAction: ${CI}\nAction Input: ${json({ code: RUN })}\n\`\`\``,
  ),
  ans("the whole reply in a fence, with a fence in it", `\`\`\`\nThought: done\nFinal Answer:\n${fence(FIX)}\n\`\`\``),
];

const toolNames: Case[] = [
  run("escaped underscores", `Action: code\\_interpreter\nAction Input: ${json({ code: RUN })}`),
  ...["Code Interpreter", "code-interpreter", "python", "execute_python"].map((name) =>
    run(`the name ${name}`, `Action: ${name}\nAction Input: ${json({ code: RUN })}`),
  ),
  run("a name with a misprint", `Action: code_interpretor\nAction Input: ${json({ code: RUN })}`),
  run("a name in quotes with a full stop", `Action: "${CI}".\nAction Input: ${json({ code: RUN })}`),
  run("a name in brackets", `Action: [${CI}]\nAction Input: ${json({ code: RUN })}`),
  run("a sentence with the name", `Action: Use the ${CI} to test it\nAction Input: ${json({ code: RUN })}`),
  run("a name with a namespace", `Action: functions.${CI}\nAction Input: ${json({ code: RUN })}`),
  bad(
    "an unknown tool",
    `Action: web_search\nAction Input: {"query": "python"}`,
    "unknown_tool",
    `"web_search"; use "Action: ${CI}"`,
  ),
  bad(
    "a code alias where there is no code tool",
    `Action: python\nAction Input: ${json({ code: RUN })}`,
    "unknown_tool",
    "view",
    { tools: ["view"] },
  ),
  {
    name: "another tool's object as it is",
    reply: `Action: search_edits\nAction Input: {"region": [1, 5], "kind": "operator"}`,
    is: { tool: "search_edits", input: { region: [1, 5], kind: "operator" } },
    tools: [CI, "search_edits"],
  },
  {
    name: "another tool as a call with keywords",
    reply: `Action: view(path="agent/graph.ts", start=10)`,
    is: { tool: "view", input: { path: "agent/graph.ts", start: 10 } },
    tools: ["view", "edit"],
  },
  {
    name: "a tool that needs no input",
    reply: "Thought: look\nAction: list_files",
    is: { tool: "list_files", input: {} },
    tools: ["list_files"],
  },
  {
    name: "a tool's own key input is not an outer key",
    reply: `Action: echo\nAction Input: {"input": "x"}`,
    is: { tool: "echo", input: { input: "x" } },
    tools: ["echo"],
  },
  bad(
    "an object tool with text for an input",
    "Action: view\nAction Input: the first file",
    "bad_input",
    "JSON object",
    { tools: ["view"] },
  ),
  bad("an object tool with a cut string", `Action: view\nAction Input: {"path": "agent/gr`, "bad_input", "cut off", {
    tools: ["view"],
  }),
];

const LIST = json([
  { name: CI, arguments: { code: RUN } },
  { name: CI, arguments: { code: "print(2)" } },
]);

test.each([
  ["alone", LIST],
  ["behind a thought", `Thought: both\n${LIST}`],
  ["in a fence", fence(LIST, "json")],
  ["in an element", `<tool_call>\n${LIST}\n</tool_call>`],
])("all calls of a JSON list are read: %s", (_, text) => {
  const read = readReplies({ text }, { tools: [CI], answer: "code", language: python });
  expect(read.map(({ reply }) => reply)).toMatchObject([
    { kind: "act", tool: CI, input: { code: RUN } },
    { kind: "act", tool: CI, input: { code: "print(2)" } },
  ]);
});

const several: Case[] = [
  run(
    "several actions: the first",
    `${act(json({ code: RUN }))}\nAction: ${CI}\nAction Input: ${json({ code: "print(2)" })}`,
  ),
  run(
    "an invented observation and a final answer",
    `${act(json({ code: RUN }))}\nObservation: 3\nThought: done\nFinal Answer:\n${fence(FIX)}`,
  ),
  run("an invented observation after a fence", `${act(fence(LOOP))}\nObservation: 0 1 2`, LOOP),
  run("an action, then a final answer", `${act(json({ code: RUN }))}\n\nFinal Answer:\n${fence(FIX)}`),
  ans(
    "a final answer, then an action",
    `Final Answer:\n${fence(FIX)}\n\nAction: ${CI}\nAction Input: ${json({ code: RUN })}`,
  ),
  run(
    "a final answer without code, then an action",
    `Final Answer: let me test it first.\nAction: ${CI}\nAction Input: ${json({ code: RUN })}`,
  ),
  ans("an action that is none, then a final answer", `Thought: done\nAction: None\nFinal Answer:\n${fence(FIX)}`),
  ans(
    "an action that only describes, then a final answer",
    `Action: Fix the operator in the loop\nFinal Answer:\n${fence(FIX)}`,
  ),
  ans(
    "an action that only describes, then a fence",
    `Thought: the operator\nAction: Fix the operator\n\n${fence(FIX)}`,
  ),
  ans("Final Answer as the action's name", `Action: Final Answer\nAction Input: ${json({ code: FIX })}`),
  ans("finish with a fence", `Action: finish\nAction Input:\n${fence(FIX)}`),
  ans("an echoed observation at the start", `Observation: 3\nThought: right\nFinal Answer:\n${fence(FIX)}`),
  bad(
    "nothing usable before an invented observation",
    `Action: web_search\nObservation: found\nFinal Answer:\n${fence(FIX)}`,
    "unknown_tool",
  ),
  ans("an answer with invented talk after it", `Final Answer:\n${fence(FIX)}\nObservation: correct!\nThought: great`),
  run(
    "Observation: inside the code",
    act(json({ code: "print('''\nObservation: 1\n''')" })),
    "print('''\nObservation: 1\n''')",
  ),
  run(
    "Observation: inside code with raw line breaks",
    act(`{"code": "print('''\nObservation: 1\nFinal Answer: 2\n''')"}`),
    "print('''\nObservation: 1\nFinal Answer: 2\n''')",
  ),
  ans(
    "labels inside the answer's strings",
    `Final Answer:\n${fence('def f():\n    return """\nAction: x\nObservation: y\n"""')}`,
    'def f():\n    return """\nAction: x\nObservation: y\n"""',
  ),
];

const thinking: Case[] = [
  run("a thinking block", `<think>\nhmm\n</think>\n${act(json({ code: RUN }))}`, RUN, { thought: "hmm\ntry it" }),
  ans(
    "labels inside a thinking block",
    `<think>\nAction: ${CI}\nAction Input: ${json({ code: RUN })}\n</think>\nFinal Answer:\n${fence(FIX)}`,
  ),
  ans("a thinking block of the other name", `<thinking>Action: x</thinking>Final Answer:\n${fence(FIX)}`),
  ans(
    "thinking whose start was in the prompt",
    `the bug is\nAction: ${CI}\nObservation: 1\n</think>\n\nFinal Answer:\n${fence(FIX)}`,
  ),
  bad(
    "thinking that never ends",
    `<think>\nAction: ${CI}\nAction Input: ${json({ code: RUN })}`,
    "no_action",
    "still thinking",
  ),
  ans(
    "a thinking tag inside the code",
    `Final Answer:\n${fence('def f():\n    return """\n<think>\n"""')}`,
    'def f():\n    return """\n<think>\n"""',
  ),
  ans(
    "a closing thinking tag inside the code",
    `Final Answer:\n${fence('def f():\n    return """\n</think>\n"""')}`,
    'def f():\n    return """\n</think>\n"""',
  ),
];

const leftovers: Case[] = [
  ...["<|im_end|>", "<|endoftext|>", "</s>", "<|eot_id|>", "<｜end▁of▁sentence｜>", "<end_of_turn>"].flatMap(
    (token) => [
      ans(`${token} after a fence`, `Final Answer:\n${fence(FIX)}${token}`),
      run(`${token} after JSON`, act(json({ code: RUN }) + token)),
    ],
  ),
  ans("a token in an unclosed fence", `Final Answer:\n\`\`\`python\n${FIX}<|im_end|>`),
  ans("a token after bare code", `Final Answer: ${FIX}</s>`),
  run(
    "a new turn after the token",
    `${act(json({ code: RUN }))}<|im_end|>\n<|im_start|>user\nObservation: 3<|im_end|>`,
  ),
  run("a role at the start", `<|im_start|>assistant\n${act(json({ code: RUN }))}`, RUN, { thought: "try it" }),
  ans(
    "a token inside a string of the code",
    `Final Answer:\n${fence('def f():\n    return "<|im_end|>"')}`,
    'def f():\n    return "<|im_end|>"',
  ),
];

const answers: Case[] = [
  ans("bare code", `Final Answer: ${FIX}`),
  ans("bare code on the next line", `Final Answer:\n${FIX}`),
  ans("bare code with prose around it", `Final Answer:\nHere is the fix:\n\n${FIX}\n\nIt now adds the numbers.`),
  ans(
    "bare code with imports and a decorator",
    `Final Answer:\nimport functools\n\n@functools.cache\n${FIX}`,
    `import functools\n\n@functools.cache\n${FIX}`,
  ),
  ans("a bare body", "Final Answer:\n    total = 0\n    return total", "    total = 0\n    return total"),
  ans("between back quotes", "Final Answer: `def f(x): return x`", "def f(x): return x"),
  ans("in JSON as answer", `Final Answer: ${json({ answer: FIX })}`),
  ans("in JSON as code", `Final Answer: ${json({ code: FIX })}`),
  ans("in fenced JSON", `Final Answer:\n${fence(json({ code: FIX }), "json")}`),
  ans("prose before and after the fence", `Final Answer: The sign was wrong.\n\n${fence(FIX)}\n\nNow it works.`),
  ans("several fences: the one with a function", `Final Answer:\n${fence(FIX)}\nTo run it:\n${fence(RUN)}`),
  ans(
    "several functions: the last",
    `Final Answer: Instead of\n${fence("def add(a, b):\n    return a - b")}\nuse\n${fence(FIX)}`,
  ),
  ans(
    "several functions, the last cut: the complete one",
    `Final Answer:\n${fence(FIX)}\nor\n\`\`\`python\ndef add(a, b):\n    return su`,
  ),
  ans(
    "an output fence beside the code",
    `Final Answer:\n${fence(FIX)}\nIt gives\n${fence(json({ result: "3" }), "json")}`,
  ),
  ans("a shell fence beside the code", `Final Answer:\n${fence("python add.py", "bash")}\n${fence(FIX)}`),
  ...["py", "python3", "Python", ""].map((tag) =>
    ans(`the language ${tag || "none"}`, `Final Answer:\n${fence(FIX, tag)}`),
  ),
  ans("tildes", `Final Answer:\n${fence(FIX, "python", "~~~")}`),
  ans("four back quotes", `Final Answer:\n${fence(FIX, "python", "````")}`),
  ans("an unclosed fence", `Final Answer:\n\`\`\`python\n${FIX}`),
  ans("a fence that closes on the last line of code", `Final Answer:\n\`\`\`python\n${FIX}\`\`\``),
  ans(
    "a truncated function",
    `Final Answer:\n\`\`\`python\ndef add(a, b):\n    return (a +`,
    "def add(a, b):\n    return (a +",
  ),
  ans("a truncated JSON answer", `Final Answer: {"code": ${json(FIX).slice(0, -1)}`),
  ans(
    "a fence inside a string of the code",
    `Final Answer:\n${fence('def f():\n    """\n    ```\n    x\n    ```\n    """\n    return 1')}`,
    'def f():\n    """\n    ```\n    x\n    ```\n    """\n    return 1',
  ),
  ans(
    "a fence in a list, indented",
    `Final Answer:\n- fixed:\n  \`\`\`python\n  def add(a, b):\n      return a + b\n  \`\`\``,
  ),
  ans(
    "an indented body in a fence keeps its indentation",
    `Final Answer:\n${fence("    return a + b")}`,
    "    return a + b",
  ),
  ans("tags", `Final Answer: <code>\n${FIX}\n</code>`),
  ans("see above", `Thought: the fix\n${fence(FIX)}\nFinal Answer: The code above is correct.`),
  ans(
    "a docstring left open, and another fence after a label",
    `Final Answer:\n${fence('def f():\n    """Adds.\n    return 1')}\nThought: or\n${fence('def g():\n    """Adds."""')}`,
    'def f():\n    """Adds.\n    return 1',
  ),
  bad("an answer without code", "Final Answer: The function is correct now.", "no_code", "```python"),
  bad("an empty answer", "Thought: done\nFinal Answer:", "no_code"),
  bad("an answer with only a shell command", `Final Answer:\n${fence("python add.py", "bash")}`, "no_code"),
];

const unlabelled: Case[] = [
  ans("only a fence with a function", fence(FIX)),
  ans("prose and a fence with a function", `The bug is the sign.\n\n${fence(FIX)}\nDone.`, FIX, {
    thought: "The bug is the sign.",
  }),
  ans("only code", FIX),
  ans("a thought and a fence", `Thought: the sign\n${fence(FIX)}`, FIX, { thought: "the sign" }),
  run("a fence that only runs something", `Let me check:\n${fence(RUN)}`),
  run(
    "two lines of thought, and a fence with indentation",
    `I run it.\nAs add does:\n  \`\`\`\n  ${RUN}\n  \`\`\``,
    RUN,
    {
      thought: "I run it.\nAs add does:",
    },
  ),
  run("a bare input object", json({ code: RUN })),
  run("a bare call object", json({ name: CI, arguments: { code: RUN } })),
  run("a call object in a fence", `I will run it.\n${fence(json({ tool: CI, input: { code: RUN } }), "json")}`, RUN, {
    thought: "I will run it.",
  }),
  run("a thought, then a call object", `Thought: run\n${json({ action: CI, action_input: { code: RUN } })}`, RUN, {
    thought: "run",
  }),
  run("an object with everything", json({ thought: "run", action: { name: CI, args: { code: RUN } } })),
  ans("an object with the answer", json({ thought: "done", final_answer: FIX })),
  bad("nothing", "", "empty", "empty"),
  bad("white space", " \n\t\n", "empty"),
  bad("nothing but reasoning", { text: "", reasoning: "whole" }, "only_reasoning", "only reasoning"),
  bad("reasoning that was cut off", { text: " ", reasoning: "cut" }, "only_reasoning", "cut off at its length limit"),
  bad("only a token", "<|im_end|>", "empty"),
  bad("only prose", "I think the function is wrong.", "no_action", `Action: ${CI}`),
  bad("only a thought", "Thought: the function is wrong.", "no_action", "", { thought: "the function is wrong." }),
];

const xml: Case[] = [
  run("a tool_call with JSON", `<tool_call>\n${json({ name: CI, arguments: { code: RUN } })}\n</tool_call>`),
  run(
    "a thought before a tool_call",
    `Thought: go\n<tool_call>${json({ name: CI, arguments: { code: RUN } })}</tool_call>`,
    RUN,
    { thought: "go" },
  ),
  run(
    "two tool_calls: the first",
    `<tool_call>${json({ name: CI, arguments: { code: RUN } })}</tool_call>\n<tool_call>${json({ name: CI, arguments: { code: "x" } })}</tool_call>`,
  ),
  run(
    "a tool_call with quotes that are not escaped",
    `<tool_call>\n{"name": "${CI}", "arguments": {"code": "print("hi")"}}\n</tool_call>`,
    'print("hi")',
  ),
  ans("an answer element", `<answer>\n${FIX}\n</answer>`, FIX, { thought: "" }),
  run("an unclosed tool_call", `<tool_call>\n${json({ name: CI, arguments: { code: RUN } })}`),
  run(
    "named elements",
    `<TOOL_CALL>\n<TOOL_NAME>${CI}</TOOL_NAME>\n<TOOL_ARGS>\n<code>\nif 1 < 2 and "a" > 'b':\n    print("</b>")\n</code>\n</TOOL_ARGS>\n</TOOL_CALL>`,
    `if 1 < 2 and "a" > 'b':\n    print("</b>")`,
  ),
  run("the tool's own element", `<${CI}><code>${RUN}</code></${CI}>`),
  run("the tool's own element without code", `<${CI}>\n${LOOP}\n</${CI}>`, LOOP),
  run("a closing code tag inside the code", `<${CI}><code>print("</code>")</code></${CI}>`, 'print("</code>")'),
  run(
    "function and parameter",
    `<tool_call>\n<function=${CI}>\n<parameter=code>\n${LOOP}\n</parameter>\n</function>\n</tool_call>`,
    LOOP,
  ),
  run(
    "invoke and parameter",
    `<function_calls>\n<invoke name="${CI}">\n<parameter name="code">${LOOP}</parameter>\n</invoke>\n</function_calls>`,
    LOOP,
  ),
  run("a list after a marker", `[TOOL_CALLS][${json({ name: CI, arguments: { code: RUN } })}]`),
  run("indented elements", `<${CI}>\n  <code>\n    for i in range(3):\n        print(i)\n  </code>\n</${CI}>`, LOOP),
  run("an element after the label", `Action:\n<${CI}><code>${RUN}</code></${CI}>\nObservation: 3`),
  run(
    "labels inside an element",
    `<${CI}><code>print('''\nObservation: x\n''')</code></${CI}>`,
    "print('''\nObservation: x\n''')",
  ),
  {
    name: "elements of another tool",
    reply: "<TOOL_CALL><TOOL_NAME>view</TOOL_NAME><TOOL_ARGS><path>a.ts</path></TOOL_ARGS></TOOL_CALL>",
    is: { tool: "view", input: { path: "a.ts" } },
    tools: ["view", "edit"],
  },
];

const native: Case[] = [
  run("a native call", { text: "go", toolCalls: [{ name: CI, args: { code: RUN } }] }, RUN, { thought: "go" }),
  run("native arguments as text", { text: "", toolCalls: [{ name: CI, args: json({ code: RUN }) }] }),
  run("native arguments that are bare code", { text: "", toolCalls: [{ name: "python", args: RUN }] }),
  run("native arguments that are a fence", { text: "", toolCalls: [{ name: CI, args: fence(LOOP) }] }, LOOP),
  ans("a native final answer", { text: "", toolCalls: [{ name: "final_answer", args: { answer: FIX } }] }),
  ans("a native final answer with a fence", {
    text: "",
    toolCalls: [{ name: "final_answer", args: { answer: `Here:\n${fence(FIX)}` } }],
  }),
  run("a native call that cannot be used, and text that can", {
    text: act(json({ code: RUN })),
    toolCalls: [{ name: "nope", args: {} }],
  }),
  bad("an unknown native call", { text: "", toolCalls: [{ name: "nope", args: {} }] }, "unknown_tool", '"nope"'),
  bad("a native call without code", { text: "", toolCalls: [{ name: CI, args: {} }] }, "no_code"),
  {
    name: "a native call with several arguments",
    reply: { text: "", toolCalls: [{ name: "edit", args: { path: "a.ts", old: "x", new: "y" } }] },
    is: { tool: "edit", input: { path: "a.ts", old: "x", new: "y" } },
    tools: ["edit"],
  },
];

const truncated: Case[] = [
  run("a string cut after a statement", act(`{"code": "print(1)\\nprint(2)`), "print(1)\nprint(2)"),
  bad("a string cut inside a call", act(`{"code": "print(1)\\nprint(`), "bad_input", "cut off"),
  bad("a string cut inside a block", act(`{"code": "for i in range(3):`), "bad_input", "cut off"),
  bad("a fence cut inside a bracket", act(`\n\`\`\`python\nprint([1, 2`), "bad_input", "cut off"),
  bad("an action without input", `Thought: run\nAction: ${CI}`, "no_code", "Action Input", { thought: "run" }),
  bad("an empty object", act("{}"), "no_code"),
  bad("empty code", act(`{"code": "  "}`), "no_code"),
  bad("an input in words", act("run the function with 3"), "bad_input", "JSON object"),
];

const textAnswers: Case[] = [
  ans("the whole text", "Thought: done\nFinal Answer: The cause is X.\n\n- it loops", "The cause is X.\n\n- it loops", {
    answer: "text",
  }),
  ans(
    "labels and fences in the text",
    `Final Answer:\nDo:\n${fence(FIX)}\nAction: none`,
    `Do:\n${fence(FIX)}\nAction: none`,
    { answer: "text" },
  ),
  ans("a native text answer", { text: "", toolCalls: [{ name: "final_answer", args: { answer: "yes" } }] }, "yes", {
    answer: "text",
  }),
  ans("a token after the text", "Final Answer: yes<|im_end|>", "yes", { answer: "text" }),
  run("an action where answers are text", act(json({ code: RUN })), RUN, { answer: "text" }),
  bad("an empty text", "Final Answer:  ", "no_code", "empty", { answer: "text" }),
  bad("prose without a label", "I am done.", "no_action", "", { answer: "text" }),
];

function meaning({ reply, tools = [CI], answer = "code" }: Case): Expected & { thought: string } {
  const parsed = parseReply(typeof reply === "string" ? { text: reply } : reply, { tools, answer, language: python });
  const { thought } = parsed;
  if (parsed.kind === "answer") return { answer: parsed.text, thought };
  if (parsed.kind === "malformed") return { malformed: parsed.error, says: parsed.problem, thought };
  const { code, ...rest } = parsed.input;
  const isRun = parsed.tool === CI && typeof code === "string" && Object.keys(rest).length === 0;
  return isRun ? { run: code, thought } : { tool: parsed.tool, input: parsed.input, thought };
}

describe.each(
  Object.entries({
    canonical,
    damagedJson,
    otherPayloads,
    calls,
    labels,
    toolNames,
    several,
    thinking,
    leftovers,
    answers,
    unlabelled,
    xml,
    native,
    truncated,
    textAnswers,
  }),
)("%s", (_, cases) => {
  test.each(cases)("$name", (given) => {
    const { thought, ...got } = meaning(given);
    const { is } = given;
    if (given.thought !== undefined) expect(thought).toBe(given.thought);
    if ("malformed" in is && "malformed" in got) {
      expect(got.malformed).toBe(is.malformed);
      expect(got.says).toContain(is.says ?? "");
      expect(got.says).toMatch(/^[A-Z].*\.$/);
    } else expect(got).toEqual(is);
  });
});

describe("rendering", () => {
  test("an action is read back as it was", () => {
    const step = { tool: CI, input: { code: LOOP, timeout: 3 }, thought: "try it" };
    expect(parseReply({ text: renderAction(step) }, { tools: [CI], answer: "code", language: python })).toEqual({
      kind: "act",
      ...step,
    });
  });

  test("an answer that holds a fence is read back as it was", () => {
    const step = { text: '"""\n```\n"""\ndef f(): pass', thought: "" };
    expect(
      parseReply({ text: renderAnswer(step, "code", "python") }, { tools: [CI], answer: "code", language: python }),
    ).toEqual({
      kind: "answer",
      ...step,
    });
  });

  test.each([
    ["of an answer in code", (tools: Registry) => codeProtocol(tools, LANGUAGES.python)],
    ["of an answer in text", textProtocol],
  ])("the protocol %s tells the labels that are read and written", (_, protocol) => {
    const result = { status: "ok", output: "", durationMs: 0 };
    const prompt = protocol(registry([{ ...SUBMIT, run: async () => result }]));
    const { observation, ...written } = REPLY_LABELS;
    for (const label of Object.values(written)) expect(prompt).toMatch(new RegExp(`^${label}`, "m"));
    expect(prompt).toContain(observation.slice(0, -1));
  });

  test("a model stops where an observation would start", () => {
    expect(STOP_SEQUENCES.some((stop) => `x\n${REPLY_LABELS.observation} ok`.includes(stop))).toBe(true);
  });
});
