/** The page of one sample: verdict, change, every turn, the prompt. */

import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { count, dollars, plural, seconds, short, words } from "../../../../utils/base/text/format.ts";
import { DiffBlock } from "../../components/diff_block.tsx";
import { TextBlock } from "../../components/text_block.tsx";
import type { Detail } from "../detail.ts";
import type { SampleRow } from "../page_data.ts";
import { PatchView, WithCopy } from "../patch_view.tsx";
import { Messages, Trajectory } from "../turns.tsx";

interface SampleProps {
  row: SampleRow;
  detail: Detail;
  /** Of the task's language. */
  language: string;
  isLinked: boolean;
  /** Of the user's own files: their tests decide, and none are hidden. */
  isOwn: boolean;
}

export const SampleView = ({ row, detail, language, isLinked, isOwn }: SampleProps) => (
  <>
    <section class="verdict">
      <Verdict row={row} detail={detail} isOwn={isOwn} />
    </section>
    <TaskSection detail={detail} language={language} />
    {detail.missing ? (
      <p class="note">{detail.missing}</p>
    ) : (
      <>
        <ChangeSection detail={detail} language={language} />
        <Trajectory turns={detail.turns} messages={detail.messages} language={language} isLinked={isLinked} />
        <Prompt messages={detail.messages.slice(0, detail.asked)} />
      </>
    )}
  </>
);

function Verdict({ row, detail, isOwn }: Pick<SampleProps, "row" | "detail" | "isOwn">) {
  const { explanation, stop, error, missing } = detail;
  const isError = row.outcome === "error";
  const facts: [string, string][] = [
    [isOwn ? "Your tests" : "Hidden tests", isError ? "no score" : words(row.outcome)],
    ...(row.overfit === null
      ? []
      : [
          [
            "Behaviour",
            row.overfit ? "overfit: a test tells it from the developer's fix" : "as the developer's fix in all tests",
          ] satisfies [string, string],
        ]),
    ...(row.doubt === null ? [] : [["Called", `a suggestion: ${row.doubt}`] satisfies [string, string]]),
    ...(isOwn ? [] : [["Visible tests", visible(row)] satisfies [string, string]]),
    ["Stop reason", words(row.stop ?? (missing ? "not known" : stop))],
    ["Turns", count(row.turns)],
    [
      "Tokens in",
      row.cachedTokens ? `${count(row.inputTokens)} (${short(row.cachedTokens)} cached)` : count(row.inputTokens),
    ],
    ["Tokens out", count(row.outputTokens)],
    ["Time", seconds(row.seconds)],
    ["Cost", dollars(row.costUsd)],
  ];
  return (
    <>
      <dl class="facts-line">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
      </dl>
      {explanation.trim() !== "" && (
        <div class={`explanation ${isError ? "error" : "fail"}`}>
          <h2>{isError ? "Why there is no score" : `What ${isOwn ? "your" : "the hidden"} tests found`}</h2>
          <TextBlock text={explanation} />
        </div>
      )}
      {error && !isError && <p class="note">{error}</p>}
    </>
  );
}

const visible = ({ verified }: SampleRow): string =>
  verified === null ? "not known" : verified ? "passed" : "not passed";

function ChangeSection({ detail, language }: { detail: Detail; language: string }) {
  const { before, after, changes, verified, patch } = detail;
  const section = (note: string, children?: ComponentChildren) => (
    <section class="change">
      <h2>
        Change <span class="note">{note}</span>
      </h2>
      {children}
    </section>
  );
  if (after === null) return section("the answer contains no program");
  if (patch)
    return section(
      verified ? "file by file" : "file by file; it was not accepted",
      <PatchView files={patch} language={language} />,
    );
  if (before === null || changes === null)
    return section(
      "the answer; it cannot be compared with the buggy program",
      <TextBlock text={after} language={language} />,
    );
  if (changes.every(([kind]) => kind === " ")) return section("none: the answer is the buggy program");
  return section(
    verified ? "buggy program to answer" : "buggy program to last candidate; it did not pass the visible tests",
    <WithCopy text={after} label="Copy the answer">
      <DiffBlock before={before} after={after} changes={changes} language={language} />
    </WithCopy>,
  );
}

/** What was asked, and what decides: the last message before the first reply, and the tests that no model was shown. */
function TaskSection({ detail, language }: { detail: Detail; language: string }) {
  const { messages, asked, hiddenTests } = detail;
  const task = messages[asked - 1]?.text ?? "";
  if (task === "" && hiddenTests === "") return null;
  return (
    <section class="task-texts">
      {task !== "" && (
        <Folded title="Task, as the model saw it" characters={task.length}>
          <TextBlock text={task} />
        </Folded>
      )}
      {hiddenTests !== "" && (
        <Folded title="Hidden tests, which the model did not see" characters={hiddenTests.length}>
          <TextBlock text={hiddenTests} language={language} />
        </Folded>
      )}
    </section>
  );
}

/** Short texts are open at first. */
const OPEN_CHARS = 1500;

function Folded({ title, characters, children }: { title: string; characters: number; children: ComponentChildren }) {
  return (
    <details class="prompt" open={characters <= OPEN_CHARS}>
      <summary>
        {title}: {count(characters)} characters
      </summary>
      {children}
    </details>
  );
}

/** Drawn when it is opened. */
function Prompt({ messages }: { messages: Detail["messages"] }) {
  const [open, setOpen] = useState(false);
  const characters = messages.reduce((sum, { text }) => sum + text.length, 0);
  return (
    <details class="prompt" onToggle={() => setOpen(true)}>
      <summary>
        What the model saw before its first turn: {plural(messages.length, "message")}, {count(characters)} characters
      </summary>
      {open && <Messages messages={messages} />}
    </details>
  );
}
