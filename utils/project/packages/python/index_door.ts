/**
 * The index of Python packages, as a program in a box reaches it: by a socket, for reading. Addresses of files lead
 * through the door, too.
 */

import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { pipeline } from "node:stream/promises";
import { z } from "zod";
import { readJson } from "../../../base/data/record.ts";
import type { Registry } from "../registry_access.ts";
import { getFrom } from "../registry_client.ts";
import { openDoor, type RegistryDoor, textOf } from "../registry_door.ts";

/** Where the pages of packages are, and their files. */
export const PAGES = "/simple/";
const FILES = "/files/";
const PAGE = /^\/simple\/([\w.-]+)\/?$/;
const FILE = /^\/files\/([0-9a-f]{32})\/[^/?#]+?(\.metadata)?$/;
const ACCEPT = "application/vnd.pypi.simple.v1+json, text/html;q=0.2";

/** `undated`: packages whose index does not say when their files came. */
export async function openIndexDoor(settings: Registry): Promise<RegistryDoor> {
  const [files, undated] = [new Map<string, URL>(), new Set<string>()];
  const door = await openDoor((request, response) => answer(request, response, { settings, files, undated }));
  return { ...door, undated };
}

interface Door {
  settings: Registry;
  /** Files that pages of the index link to, by their names here. */
  files: Map<string, URL>;
  undated: Set<string>;
}

async function answer(
  { method, url = "" }: IncomingMessage,
  response: ServerResponse,
  { settings, files, undated }: Door,
): Promise<void> {
  const refuse = (status: number, why: string) => void response.writeHead(status).end(why);
  if (method !== "GET" && method !== "HEAD") return refuse(405, "packages are only read here");
  const [, id, metadata = ""] = FILE.exec(url) ?? [];
  if (id !== undefined) {
    const file = files.get(id);
    if (file === undefined) return refuse(403, "the index names no such file");
    const reply = await getFrom(new URL(`${file.origin}${file.pathname}${metadata}${file.search}`), settings, "*/*");
    const length = reply.headers["content-length"];
    response.writeHead(reply.statusCode, length === undefined ? {} : { "content-length": String(length) });
    return await pipeline(reply.body, response);
  }
  const [, name] = PAGE.exec(url) ?? [];
  if (name === undefined) return refuse(404, "only packages are read here");
  const page = new URL(`${name}/`, settings.root);
  const reply = await getFrom(page, settings, ACCEPT);
  const text = await textOf(reply);
  const type = String(reply.headers["content-type"] ?? "text/html");
  if (reply.statusCode === 200 && !text.includes('"upload-time"')) undated.add(name);
  response.writeHead(reply.statusCode, { "content-type": type });
  response.end(withFiles(text, type.includes("json"), page, files));
}

const Page = z.looseObject({
  files: z.array(z.looseObject({ filename: z.string(), url: z.string(), "upload-time": z.string().optional() })),
});

/** A page whose files are at the door. */
function withFiles(text: string, isJson: boolean, page: URL, files: Map<string, URL>): string {
  const here = (address: string): string => {
    if (!URL.canParse(address, page.href)) return address;
    const file = new URL(address, page);
    const id = createHash("sha256").update(file.href).digest("hex").slice(0, 32);
    if (/^https?:$/.test(file.protocol)) files.set(id, file);
    return `${FILES}${id}/${file.pathname.split("/").at(-1)}${file.hash}`;
  };
  if (!isJson)
    return text.replace(/(\bhref\s*=\s*)(["'])(.*?)\2/g, (_, key: string, quote: string, address: string) => {
      return `${key}${quote}${here(address.replaceAll("&amp;", "&"))}${quote}`;
    });
  const told = readJson(text, Page);
  return told === null ? text : JSON.stringify({ ...told, files: asOfVersion(told.files, here) });
}

/** A version is there when its first file is: a wheel for a later Python is the same code, which needs no compiler. */
function asOfVersion(files: z.infer<typeof Page>["files"], here: (address: string) => string) {
  const first = new Map<string, string>();
  for (const { filename, "upload-time": time } of files) {
    const known = first.get(versionOf(filename));
    if (time !== undefined && (known === undefined || time < known)) first.set(versionOf(filename), time);
  }
  return files.map((file) => {
    const time = first.get(versionOf(file.filename));
    return { ...file, url: here(file.url), ...(time !== undefined && { "upload-time": time }) };
  });
}

/** `a-1.0-py3-none-any.whl`, `a-b-1.0.tar.gz` */
const versionOf = (filename: string): string =>
  filename.endsWith(".whl")
    ? (filename.split("-")[1] ?? "")
    : (/-(\d[^-]*?)(?:\.(?:tar\.\w+|tgz|zip))?$/.exec(filename)?.[1] ?? filename);
