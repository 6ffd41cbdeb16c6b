/**
 * Makes a complete program from whatever a model sent for a task: the function, the whole file or only the body.
 *
 * The task's file is a row of blocks: what precedes the function, the function, what follows it. Blocks of the answer
 * replace those that bind the same name, in place; the others are inserted next to the neighbour they had in the
 * answer; test code at the answer's end is dropped, because it would run (and could fail) whenever the program is
 * loaded.
 */
import type { AnsweredFile } from "../language.ts";
import {
  type Block,
  importedNames,
  isDefinition,
  returnsAtTopLevel,
  topLevelBlocks,
  withoutTestCode,
} from "./blocks.ts";
import { dedentCode, indentCode, restoreFirstIndent } from "./indent.ts";
import { scan } from "./scan.ts";

/** The task's file around the function. */
interface Frame {
  before: Block[];
  /** The function as it is in the file: `head` is what the declaration holds of it, `body` the rest. */
  head: string;
  lead: string;
  body: string;
  after: Block[];
  /** Comments after the last block. */
  tail: string;
}

/** A piece of the program that is being put together; `block` is what it was in the file or in the answer. */
interface Piece {
  block: Block;
  isEntry: boolean;
}

/** More statements than any answer has; one that has more is left alone rather than merged in quadratic time. */
const MAX_BLOCKS = 2000;

/** See `assembleProgram` in `code_postprocess.ts`. */
export function assemble(file: AnsweredFile, answer: string): string {
  const frame = frameOf(file);
  if (frame === null) return answer;
  const code = restoreFirstIndent(normalize(answer));
  const { blocks } = topLevelBlocks(dedentCode(code));
  if (blocks.length > MAX_BLOCKS) return answer;
  if (blocks.some((block) => block.name === file.entryPoint)) return merge(frame, blocks, file.entryPoint);
  const method = blocks.find((block) => block.kind === "class" && definesMethod(block, file.entryPoint));
  if (method) return merge(frame, [...blocks, instanceMethod(file.entryPoint, method.name)], file.entryPoint);
  return fromBody(frame, code) ?? answer;
}

const normalize = (code: string): string => code.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");

/** `text` as the file's function: followed by as many blank lines as the function has in the file. */
const likeInFile = (frame: Frame, text: string): string =>
  text.trimEnd() + ((frame.after.length > 0 && frame.body.slice(frame.body.trimEnd().length)) || "\n");

const withNewline = (text: string): string => (text === "" || text.endsWith("\n") ? text : `${text}\n`);

function frameOf(file: AnsweredFile): Frame | null {
  const { blocks } = topLevelBlocks(normalize(file.declaration));
  const at = blocks.findLastIndex((block) => isDefinition(block) && block.name === file.entryPoint);
  const entry = blocks[at];
  if (entry === undefined) return null;
  const rest = topLevelBlocks(normalize(file.epilogue));
  return {
    before: blocks.slice(0, at),
    lead: entry.lead,
    head: withNewline(normalize(file.declaration).slice(entry.start)),
    body: normalize(file.buggyCode),
    after: rest.blocks,
    tail: rest.tail,
  };
}

/** True where a class has a method of that name. */
const definesMethod = (block: Block, name: string): boolean =>
  scan(block.text).lines.some(({ start, end, indent }) => {
    const [first, second, third] = block.text
      .slice(start, end)
      .trim()
      .split(/[\s(:]+/, 3);
    return indent !== "" && ((first === "def" && second === name) || (second === "def" && third === name));
  });

/** `f = Solution().f`, for a model that wraps the function in a class. */
function instanceMethod(entryPoint: string, className: string): Block {
  const text = `${entryPoint} = ${className}().${entryPoint}\n`;
  return { kind: "assign", name: entryPoint, lead: "\n\n", text, start: 0 };
}

// ---- the answer holds only the body

/** The program with `answer` as the function's body; null where `answer` is no body. */
function fromBody(frame: Frame, answer: string): string | null {
  const { lines } = scan(answer);
  const [first] = lines;
  if (first === undefined) return null;
  const isIndented = first.indent !== "";
  const end = (isIndented ? lines.find((line) => line.indent === "")?.start : undefined) ?? answer.length;
  const body = dedentCode(answer.slice(0, end));
  const isProcedure = !returnsAtTopLevel(dedentCode(frame.body));
  const { blocks } = topLevelBlocks(body);
  const onlyDefines = blocks.every((block) => isDefinition(block) || block.kind === "import");
  const isBody = returnsAtTopLevel(body) || (!onlyDefines && (isIndented || isProcedure));
  if (!isBody) return null;
  const following = topLevelBlocks(answer.slice(end)).blocks.filter(
    (block) => isDefinition(block) || block.kind === "import",
  );
  const entry = { ...entryBlock(frame), text: likeInFile(frame, frame.head + indentCode(body, bodyIndent(frame))) };
  return join([...frame.before, entry, ...spaced(following), ...frame.after], frame.tail);
}

/** Indentation of the function's body in the file. */
function bodyIndent(frame: Frame): string {
  const inHead = scan(frame.head).lines.find((line) => line.indent !== "");
  return inHead?.indent || scan(frame.body).lines[0]?.indent || "    ";
}

// ---- the answer defines the function

const entryBlock = (frame: Frame): Block => ({
  kind: "function",
  name: "",
  lead: frame.lead,
  text: frame.head + frame.body,
  start: 0,
});

function merge(frame: Frame, answer: Block[], entryPoint: string): string {
  const pieces: Piece[] = [
    ...frame.before.map((block) => ({ block, isEntry: false })),
    { block: entryBlock(frame), isEntry: true },
    ...frame.after.map((block) => ({ block, isEntry: false })),
  ];
  const inFile = new Set([...frame.before, ...frame.after].map((block) => block.text.trim()));
  const useful = withoutTestCode(lastDefinitions(answer), entryPoint, inFile);
  const entry =
    useful.findLast((block) => block.name === entryPoint && isDefinition(block)) ??
    useful.findLast((block) => block.name === entryPoint);
  place(pieces, useful, entry);
  const blocks = pieces.map(({ block, isEntry }) =>
    isEntry ? { ...block, text: likeInFile(frame, block.text) } : block,
  );
  return join(blocks, frame.tail);
}

/** Of several undecorated definitions of one name Python keeps the last; so do we. */
const lastDefinitions = (blocks: Block[]): Block[] =>
  blocks.filter(
    (block, at) =>
      !isDefinition(block) ||
      block.text.startsWith("@") ||
      !blocks.slice(at + 1).some((later) => isDefinition(later) && later.name === block.name),
  );

/** Puts every block of the answer where it belongs among `pieces`. */
function place(pieces: Piece[], answer: Block[], entry: Block | undefined): void {
  const matches = answer.map((block) =>
    pieces.find((piece) => (block === entry ? piece.isEntry : !piece.isEntry && corresponds(piece.block, block))),
  );
  const replaced = new Set<Piece>();
  let previous: Piece | undefined;
  answer.forEach((block, at) => {
    const match = matches[at];
    const isCovered = match !== undefined && covers(match.block, block);
    if (match && (isCovered || !replaced.has(match))) {
      if (!isCovered) match.block = { ...block, lead: match.block.lead };
      if (!isCovered) replaced.add(match);
      previous = match;
      return;
    }
    const next = matches.slice(at + 1).find((piece) => piece !== undefined);
    const piece = { block, isEntry: false };
    const index =
      block.kind === "future"
        ? 0
        : next
          ? pieces.indexOf(next)
          : previous
            ? pieces.indexOf(previous) + 1
            : pieces.length;
    pieces.splice(Math.max(index, afterFutures(pieces)), 0, piece);
    previous = piece;
  });
}

/** Where the first statement may stand that is neither a module docstring nor an import from `__future__`. */
function afterFutures(pieces: Piece[]): number {
  const first = pieces.findIndex(
    ({ block }, at) => block.kind !== "future" && !(at === 0 && /^[rRuU]?["']/.test(block.text)),
  );
  return first === -1 ? pieces.length : first;
}

/** True where `inAnswer` is the new version of `inFile`, or the same. */
function corresponds(inFile: Block, inAnswer: Block): boolean {
  if (inFile.text.trim() === inAnswer.text.trim()) return true;
  if (inFile.kind === "import" || inFile.kind === "future") {
    return inFile.kind === inAnswer.kind && (covers(inFile, inAnswer) || covers(inAnswer, inFile));
  }
  if (inAnswer.name === "" || inAnswer.name !== inFile.name) return false;
  return inFile.kind === "assign" ? inAnswer.kind === "assign" : isDefinition(inAnswer);
}

/** True for two imports where `wide` binds everything that `narrow` binds, or for equal text. */
function covers(wide: Block, narrow: Block): boolean {
  if (wide.text.trim() === narrow.text.trim()) return true;
  if (wide.kind !== narrow.kind || (wide.kind !== "import" && wide.kind !== "future")) return false;
  const bound = new Set(importedNames(wide.text));
  return importedNames(narrow.text).every((name) => bound.has(name));
}

// ---- text

/** Two blank lines between a block that comes from the answer and what precedes it. */
const spaced = (blocks: Block[]): Block[] =>
  blocks.map((block) => ({ ...block, lead: `\n\n${block.lead.trimStart()}` }));

const join = (blocks: Block[], tail: string): string =>
  blocks.reduce((code, { lead, text }) => withNewline(code) + lead + text, "") + tail;
