/** The turns of a sample: what the model thought and did, what came back, what it cost. */

import { useEffect, useState } from "preact/hooks";
import { count, plural, seconds, short, words } from "../../../utils/base/text/format.ts";
import { useAddress } from "../browser/address.ts";
import { PlainTable } from "../components/data_table.tsx";
import { Badge } from "../components/frame.tsx";
import { TextBlock } from "../components/text_block.tsx";
import type { Detail, Part, SearchTurn, Turn } from "./detail.ts";

interface TrajectoryProps {
  turns: readonly Turn[];
  messages: Detail["messages"];
  language: string;
  /** False for a trajectory beside another one, whose turns have no address. */
  isLinked: boolean;
}

export function Trajectory({ turns, messages, language, isLinked }: TrajectoryProps) {
  const { query, linkWith } = useAddress();
  useEffect(() => {
    if (isLinked && query.turn) document.getElementById(`turn-${query.turn}`)?.scrollIntoView({ block: "start" });
  }, [query.turn]);
  const slowest = Math.max(...turns.map((turn) => turn.seconds), 0.001);
  // The address stays that of the sample.
  const jump = (event: Event, i: number) => {
    event.preventDefault();
    document.getElementById(`turn-${i}`)?.scrollIntoView({ block: "start" });
  };
  return (
    <section class="trajectory">
      <h2>
        Trajectory <span class="note">{plural(turns.filter(({ called }) => called).length, "call")}</span>
      </h2>
      {isLinked && turns.length > 1 && (
        <nav class="strip" aria-label="Turns">
          {turns.map((turn, i) => (
            <a
              class={`step ${toneOf(turn)}`}
              href={`#turn-${i}`}
              title={summary(turn)}
              onClick={(event) => jump(event, i)}
            >
              {turn.iteration}
            </a>
          ))}
        </nav>
      )}
      {turns.length === 0 && <p class="note">The model was never asked.</p>}
      <ol class="turns">
        {turns.map((turn, i) => (
          <TurnItem
            turn={turn}
            messages={messages}
            href={isLinked ? linkWith({ turn: String(i) }) : null}
            position={i}
            slowest={slowest}
            language={language}
          />
        ))}
      </ol>
    </section>
  );
}

function toneOf({ kind, accepted, observation }: Turn): string {
  if (kind === "malformed") return "error";
  if (kind === "answer") return accepted ? "pass" : "fail";
  return /^(ok|exit code 0)$/.test(observation.status) ? "calm" : "warn";
}

function summary({ kind, label, iteration, search }: Turn): string {
  if (kind === "answer") return "final answer";
  if (kind === "malformed") return `unreadable reply: ${words(label)}`;
  if (search) return "search for an edit";
  return iteration === 0 ? `${label}, given with the task` : label;
}

interface TurnProps {
  turn: Turn;
  messages: Detail["messages"];
  /** Address of this turn. */
  href: string | null;
  position: number;
  slowest: number;
  language: string;
}

function TurnItem({ turn, messages, href, position, slowest, language }: TurnProps) {
  const { iteration, thought, reasoning, finishReason, parts, observation, accepted, search } = turn;
  const output = observation.output.trim() !== "" && <TextBlock text={observation.output} />;
  return (
    <li class={`turn ${toneOf(turn)}`} id={href === null ? undefined : `turn-${position}`}>
      <header>
        {href === null ? (
          <span class="index">{iteration}</span>
        ) : (
          <a class="index" href={href} title="The address of this turn">
            {iteration}
          </a>
        )}
        <h3>{summary(turn)}</h3>
        {finishReason === "length" && <span class="status warn">cut off at its length limit</span>}
        <Cost turn={turn} slowest={slowest} />
      </header>
      <Reasoning reasoning={reasoning} finishReason={finishReason} />
      {thought.trim() !== "" && (
        <div class="thought">
          <TextBlock text={thought.trim()} isCopied={false} />
        </div>
      )}
      {parts.map((part) => (
        <PartItem key={part.name} part={part} language={language} />
      ))}
      <div class="observation">
        <p class="label">
          {turn.kind === "answer" ? "Visible tests " : "Observation "}
          {accepted === null ? (
            <span class={`status ${toneOf(turn)}`}>{observation.status}</span>
          ) : (
            <Badge outcome={accepted ? "passed" : "failed"} />
          )}
        </p>
        {search ? <SearchTable search={search} /> : output}
      </div>
      {turn.called && turn.reply !== null && <Raw messages={messages} reply={turn.reply} />}
    </li>
  );
}

/**
 * The conversation up to a turn, and the reply before it was read, as text: a server's own format is not kept.
 * Drawn when opened.
 */
function Raw({ messages, reply }: { messages: Detail["messages"]; reply: number }) {
  const [open, setOpen] = useState(false);
  const response = messages[reply];
  return (
    <details class="prompt raw" onToggle={() => setOpen(true)}>
      <summary>
        Request of {plural(reply, "message")} as text, and reply of {count(response?.text.length ?? 0)} characters
      </summary>
      {open && <Messages messages={messages.slice(0, reply)} />}
      {open && response && <Messages messages={[{ role: "reply", text: response.text }]} />}
    </details>
  );
}

export const Messages = ({ messages }: { messages: Detail["messages"] }) => (
  <div class="messages">
    {messages.map(({ role, text }) => (
      <div class={`message ${role}`}>
        <p class="label">{role}</p>
        <TextBlock text={text} />
      </div>
    ))}
  </div>
);

/** What the server said beside the reply. Drawn when it is opened. */
function Reasoning({ reasoning, finishReason }: Pick<Turn, "reasoning" | "finishReason">) {
  const [open, setOpen] = useState(false);
  const end = finishReason !== "" && <span class="label">finish reason: {finishReason}</span>;
  if (reasoning === "") return end && <p class="input">{end}</p>;
  return (
    <details class="reasoning" onToggle={() => setOpen(true)}>
      <summary>
        Reasoning: {count(reasoning.length)} characters {end}
      </summary>
      {open && <TextBlock text={reasoning} isCopied={false} />}
    </details>
  );
}

/** Short inputs on one line, the rest as blocks. */
function PartItem({ part, language }: { part: Part; language: string }) {
  const { name, text, isCode } = part;
  if (!isCode && text.length < 60 && !text.includes("\n"))
    return (
      <p class="input">
        <span class="label">{name}</span> <code>{text}</code>
      </p>
    );
  return (
    <div class="part">
      <p class="label">{name}</p>
      <TextBlock text={text} language={isCode ? language : undefined} />
    </div>
  );
}

function SearchTable({ search: { status, tried, passing, untested, edits } }: { search: SearchTurn }) {
  const what = passing === 1 ? "passes the visible tests" : "pass the visible tests";
  return (
    <div class="found-edits">
      <p class="note">
        {words(status)}: {plural(passing, "edit")} of {count(tried)} tried{" "}
        {untested ? "fit; no visible test tries them" : what}
        {edits.length > 0 && edits.length < passing && `; the likeliest ${edits.length}`}
      </p>
      {edits.length > 0 && (
        <PlainTable
          columns={[["Line"], ["Edit", "edit"], ["Operator"], ["Cost", "number"]]}
          rows={edits.map(({ line, old, new: now, operator, cost }) => [
            line,
            <>
              <del>{old || "nothing"}</del> → <ins>{now || "nothing"}</ins>
            </>,
            words(operator),
            cost === null ? "–" : cost.toFixed(1),
          ])}
        />
      )}
    </div>
  );
}

function Cost({ turn, slowest }: { turn: Turn; slowest: number }) {
  const { called, inputTokens, cachedTokens, outputTokens, seconds: time } = turn;
  const isCounted = called && (inputTokens !== null || outputTokens !== null);
  const cached = cachedTokens ? ` (${short(cachedTokens)} cached)` : "";
  return (
    <span class="cost">
      {isCounted && `${short(inputTokens)} in${cached} · ${short(outputTokens)} out · `}
      {seconds(time)}
      <meter min={0} max={slowest} value={time} aria-hidden="true" />
    </span>
  );
}
