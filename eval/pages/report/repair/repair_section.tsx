/** The top of the page of a repair: how sure it is and why, the tests from red to green, the change and its rivals. */

import { clause } from "../../../../utils/base/text/format.ts";
import { PlainTable } from "../../components/data_table.tsx";
import { Badge } from "../../components/frame.tsx";
import { PatchView } from "../patch_view.tsx";
import type { RepairData } from "./repair_data.ts";

const TONES: Readonly<Record<RepairData["outcome"], string>> = {
  fixed: "pass",
  suggestion: "warn",
  partly_fixed: "warn",
  not_fixed: "fail",
  interrupted: "error",
  nothing_to_repair: "pass",
};

export function RepairSection({ repair }: { repair: RepairData }) {
  const { outcome, word, reasons, written, target, testCommand, choices, remarks, language } = repair;
  const [first, ...others] = choices;
  return (
    <div class="repair">
      <section class={`hero sure ${TONES[outcome]}`}>
        <div>
          <p class="score">
            <span class="value">{word.charAt(0).toUpperCase() + word.slice(1)}</span>
          </p>
          {reasons.map((reason) => (
            <p class="reading" key={reason}>
              {reason.charAt(0).toUpperCase() + reason.slice(1)}.
            </p>
          ))}
          {written !== "" && <p class="reading">Written to {written}.</p>}
        </div>
        <dl class="made-with">
          <dt>File</dt>
          <dd>{target}</dd>
          <dt>Tests</dt>
          <dd>{testCommand}</dd>
        </dl>
      </section>
      <Tests repair={repair} />
      {first && (
        <section>
          <h2>Patch</h2>
          <PatchView files={first.patch} language={language} />
        </section>
      )}
      {others.map((choice, i) => (
        <section key={i}>
          <h2>
            Another patch that passes <span class="note">--choose {i + 2} takes it</span>
          </h2>
          {choice.call !== "" && (
            <p class="reading">
              <code>{choice.call}</code> gives <code>{choice.gives}</code>, with the first patch{" "}
              <code>{choice.firstGives}</code>.
            </p>
          )}
          <PatchView files={choice.patch} language={language} />
        </section>
      ))}
      {remarks.length > 0 && (
        <section>
          <h2>{word === "not fixed" ? "What may help" : "To check"}</h2>
          <ul class="remarks">
            {remarks.map((remark) => (
              <li key={remark}>{remark}</li>
            ))}
          </ul>
        </section>
      )}
    </div>
  );
}

/** Whether the message says more than the name, which may be the line that fails. */
function isNews(name: string, message: string): boolean {
  const [line = ""] = message.split("\n");
  return line !== "" && !name.endsWith(line.replace(/^\S+:\d+: /, ""));
}

function Tests({ repair: { tests, passing, flaky, notLoaded } }: { repair: RepairData }) {
  if (notLoaded !== null)
    return (
      <section>
        <h2>Tests</h2>
        <p class="reading">No test came to its end before the patch: {notLoaded}</p>
      </section>
    );
  if (tests.length === 0) return null;
  return (
    <section>
      <h2>
        Tests that failed{" "}
        <span class="note">
          {passing > 0 && `${clause(passing, "other test", "pass")} before`}
          {flaky > 0 && `; ${clause(flaky, "flaky test", "do")} not count`}
        </span>
      </h2>
      <div class="scroll">
        <PlainTable
          columns={[["Test", "edit"], ["Before"], ["Now"]]}
          rows={tests.map(({ name, message, after }) => [
            <>
              {name}
              {isNews(name, message) && <p class="note">{message.split("\n")[0]}</p>}
            </>,
            <Badge key="before" outcome="failed" />,
            after === null ? <span class="note">as before</span> : <Badge key="now" outcome={after} />,
          ])}
        />
      </div>
    </section>
  );
}
