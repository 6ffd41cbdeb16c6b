/** Serves the runs of a folder to a browser on this machine, live while they go. */

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { errorCode, UserError } from "../../../utils/base/data/errors.ts";
import { plural } from "../../../utils/base/text/format.ts";
import { isMetaRun, loadRun } from "../../run/load_run.ts";
import { page } from "../build/page.ts";
import { metaPage } from "../meta/meta_page.ts";
import { detailOf, type TextLimits } from "../report/detail.ts";
import { pageData } from "../report/page_data.ts";
import { boardData } from "../runs/board.ts";
import { createRunList, runNames } from "../runs/run_list.ts";
import { listChanges, metaChanges, runChanges, sendEvents } from "./events.ts";

const ADDRESS = "127.0.0.1";
/** What of a sample a page is sent. */
const EVERYTHING: TextLimits = { longestText: 1_000_000, raw: true };
const MOST_CONNECTIONS = 256;
/** Runs of one page. */
const MOST_BESIDE = 12;
/** After which a connection on which nothing moves is closed; streams have heartbeats. */
const SILENT_MS = 60_000;

export interface ViewServer {
  url: string;
  port: number;
  close(): Promise<void>;
}

/**
 * @param port 0 for any free one
 * @throws UserError where the port is taken
 */
export async function startViewServer({ runsFolder, port }: { runsFolder: string; port: number }): Promise<ViewServer> {
  const listRuns = createRunList(runsFolder);
  const server = createServer((request, response) => {
    const site = { runsFolder, listRuns, port: portOf(server.address()) };
    const reply = safely(() => route(request, site));
    if ("next" in reply) sendEvents(response, reply.next);
    else send(response, reply);
  });
  server.maxConnections = MOST_CONNECTIONS;
  server.setTimeout(SILENT_MS);
  await new Promise<void>((resolve, reject) => {
    server.once("error", (error) => {
      const why = { EADDRINUSE: "is taken", EACCES: "is not for this user" }[String(errorCode(error))];
      reject(why ? new UserError(`Port ${port} ${why}: choose another --port, or 0 for any free one.`) : error);
    });
    server.listen(port, ADDRESS, resolve);
  });
  const actual = portOf(server.address());
  return {
    url: `http://${ADDRESS}:${actual}/`,
    port: actual,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

const portOf = (address: AddressInfo | string | null) => (typeof address === "object" && address ? address.port : 0);

interface Site {
  runsFolder: string;
  listRuns: ReturnType<typeof createRunList>;
  port: number;
}

/** A reply, or a stream of changes. */
type Answer = HttpReply | { next: () => unknown };
interface HttpReply {
  status: number;
  type: string;
  body: string;
}

const html = (body: string): HttpReply => ({ status: 200, type: "text/html", body });
const json = (value: unknown): HttpReply => ({ status: 200, type: "application/json", body: JSON.stringify(value) });
const NOT_FOUND = "There is no such page. The start page lists all runs; a run needs a manifest.json in its folder.";
const refusal = (status: number, body: string): HttpReply => ({ status, type: "text/plain", body });

function safely(work: () => Answer): Answer {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError) return refusal(500, error.message);
    console.error(error);
    return refusal(500, "This page could not be made.");
  }
}

function route(request: IncomingMessage, { runsFolder, listRuns, port }: Site): Answer {
  // Another site's name may be made to point at this address; its pages must not read ours.
  const hosts = [`${ADDRESS}:${port}`, `localhost:${port}`];
  if (!hosts.includes(request.headers.host ?? "")) {
    return refusal(403, `This server answers to http://${ADDRESS}:${port}/ only.`);
  }
  const url = parseUrl(request.url ?? "/");
  if (request.method !== "GET") return refusal(405, "This server answers only GET.");
  if (url?.pathname === "/") return html(page("runs", { title: "Runs", data: { runs: listRuns() }, isServed: true }));
  if (url?.pathname === "/events") return { next: listChanges(listRuns) };
  if (url?.pathname === "/board") return boardReply(runsFolder, url.searchParams.getAll("run"));
  const [, encoded = "", part = ""] = /^\/runs\/([^/]+)\/([a-z]*)$/.exec(url?.pathname ?? "") ?? [];
  const name = runNames(runsFolder).find((run) => encodeURIComponent(run) === encoded);
  if (!url || name === undefined) return refusal(404, NOT_FOUND);
  const folder = join(runsFolder, name);
  switch (part) {
    case "":
      if (isMetaRun(folder)) return html(metaPage(folder, { live: true }));
      return html(page("report", { title: name, data: pageData(loadRun(folder), { live: true }), isServed: true }));
    case "events":
      return { next: isMetaRun(folder) ? metaChanges(folder) : runChanges(folder) };
    case "detail":
      return detailReply(folder, url.searchParams);
    default:
      return refusal(404, NOT_FOUND);
  }
}

function parseUrl(path: string): URL | null {
  try {
    return path.startsWith("/") ? new URL(`http://${ADDRESS}${path}`) : null;
  } catch {
    return null;
  }
}

/** The file that is read belongs to a result of this run; what the page asked for only selects it. */
function detailReply(folder: string, query: URLSearchParams): Answer {
  const [task, attempt] = [query.get("task"), query.get("attempt")];
  const wanted = loadRun(folder).results.find(
    (result) => result.task_id.toWellFormed() === task && String(result.attempt) === attempt,
  );
  if (!wanted) return refusal(404, "There is no such sample.");
  const { detail } = detailOf(folder, wanted, EVERYTHING);
  return json(detail);
}

/** Several runs beside each other; their names select among those of the folder. */
function boardReply(runsFolder: string, asked: readonly string[]): Answer {
  const known = new Set(runNames(runsFolder));
  const names = [...new Set(asked)];
  if (names.length === 0 || names.length > MOST_BESIDE || !names.every((name) => known.has(name)))
    return refusal(404, `There is no such run, or these are none or more than ${MOST_BESIDE}.`);
  const data = boardData(names.map((name) => loadRun(join(runsFolder, name))));
  return html(page("runs", { title: `${plural(names.length, "run")} beside each other`, data, isServed: true }));
}

function send(response: ServerResponse, { status, type, body }: HttpReply): void {
  response.writeHead(status, {
    "Content-Type": `${type}; charset=utf-8`,
    "Cache-Control": "no-store",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "X-Frame-Options": "DENY",
  });
  response.end(body);
}
